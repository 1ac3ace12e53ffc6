// include/quickselection/error.h: the two exceptions that public functions throw.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace quickselection {

/// Bad data or failed input/output. The message names the value, the limit and the place;
/// hint() says what to do about it (it may be empty).
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, std::string hint = {})
      : std::runtime_error(message), hint_(std::move(hint)) {}
  const std::string& hint() const noexcept { return hint_; }

 private:
  std::string hint_;
};

/// A bad argument: an option out of its range, an unknown name, sizes that do not fit.
class InvalidArgument : public std::invalid_argument {
 public:
  explicit InvalidArgument(const std::string& message, std::string hint = {})
      : std::invalid_argument(message), hint_(std::move(hint)) {}
  const std::string& hint() const noexcept { return hint_; }

 private:
  std::string hint_;
};

/// The caller asked to stop (Ctrl-C). What was asked to be saved has been saved.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace quickselection
