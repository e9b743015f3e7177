// Optimizers: state that is an argument like the model, and an update made of ops.
//
//   nn::AdamW optimizer(model, {.learning_rate = 1e-3});
//   auto step = compile([](Model& model, nn::AdamW<Model>& optimizer, const Tensor& x) {
//     auto [value, gradient] = value_and_grad(loss)(model, x);
//     nn::clip_by_norm(gradient, 1.0);
//     optimizer.update(model, gradient);
//     return value;
//   });
//
// `update` writes parameters and state in place, so in a captured step they are updated inputs of
// one program; called on real tensors it runs at once. Parameters are the floating tensors of the
// model but its buffers (core/visit_tensors.h); one whose gradient is undefined is left alone. State
// has the form of the model, in f32 for 16-bit parameters. `update_if` writes nothing, and counts no
// step, where its condition is false.
//
// The learning rate and the count of steps are 0-d tensors: `fill_(optimizer.learning_rate, 1e-4)`,
// or a schedule (schedule.h), needs no new capture. The other numbers are part of the signature:
// changing one captures again.
//
// With `keeps_masters`, 16-bit parameters have a copy in f32 among the state. The update is made there
// and rounded into the parameter, so that steps smaller than its resolution add up.
#pragma once

#include "ridge/nn/adam.h"
#include "ridge/nn/clip.h"
#include "ridge/nn/lion.h"
#include "ridge/nn/sgd.h"
