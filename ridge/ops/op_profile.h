// Profiling: one event for each op the user called, with its line and host time.
//
//   Profile profile;
//   Tensor y = softmax(x, -1);
//   for (const ProfileEvent& e : profile.events()) std::cout << e.op << " " << e.us << " us\n";
#pragma once

#include <string>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/dispatch/thread_state.h"

namespace ridge {

struct ProfileEvent {
  std::string op;
  Location where;
  double us;
};

// Records the calls of this thread for as long as it lives. Scopes nest; the inner one records.
class Profile {
 public:
  Profile();
  ~Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  const std::vector<ProfileEvent>& events() const { return events_; }
  void record(ProfileEvent event) { events_.push_back(std::move(event)); }

 private:
  dispatch::IncludeKeys include_;
  void* outer_;
  std::vector<ProfileEvent> events_;
};

}  // namespace ridge
