// include/quickselection/error.h: the exceptions that public functions throw.
#pragma once

#include <stdexcept>
#include <string>

namespace quickselection {

/// A message that names the value, the limit and the place; hint() says what to do about it (it may
/// be empty), option() which option the message is about ("" when none). Both texts may name
/// options, see words.h.
template <class Base>
class ErrorWithHint : public Base {
 public:
  explicit ErrorWithHint(const std::string& message, std::string hint = {});
  ~ErrorWithHint() override;
  ErrorWithHint(const ErrorWithHint&) = default;
  ErrorWithHint& operator=(const ErrorWithHint&) = default;
  const std::string& hint() const noexcept { return hint_; }
  const std::string& option() const noexcept { return option_; }

 private:
  std::string hint_, option_;
};
extern template class ErrorWithHint<std::runtime_error>;
extern template class ErrorWithHint<std::invalid_argument>;

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
