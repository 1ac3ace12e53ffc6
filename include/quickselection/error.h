// include/quickselection/error.h: the exceptions that public functions throw.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "quickselection/words.h"

namespace quickselection {

/// A message that names the value, the limit and the place; hint() says what to do about it (it may
/// be empty), option() which option the message is about ("" when none). Both texts may name
/// options, see words.h.
template <class Base>
class ErrorWithHint : public Base {
 public:
  explicit ErrorWithHint(const std::string& message, std::string hint = {})
      : Base(message), hint_(std::move(hint)), option_(option_in(message)) {}
  const std::string& hint() const noexcept { return hint_; }
  const std::string& option() const noexcept { return option_; }

 private:
  std::string hint_, option_;
};

/// Bad data or failed input/output.
class Error : public ErrorWithHint<std::runtime_error> {
  using ErrorWithHint::ErrorWithHint;
};

/// A bad argument: an option out of its range, an unknown name, sizes that do not fit.
class InvalidArgument : public ErrorWithHint<std::invalid_argument> {
  using ErrorWithHint::ErrorWithHint;
};

/// The caller asked to stop (Ctrl-C). What was asked to be saved has been saved.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace quickselection
