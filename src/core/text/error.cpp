// src/core/text/error.cpp: what each error's constructor does, compiled once.
#include "quickselection/error.h"

#include <utility>

#include "quickselection/words.h"

namespace quickselection {

template <class Base>
ErrorWithHint<Base>::ErrorWithHint(const std::string& message, std::string hint)
    : Base(message), hint_(std::move(hint)), option_(option_in(message)) {}

template <class Base>
ErrorWithHint<Base>::~ErrorWithHint() = default;

template class ErrorWithHint<std::runtime_error>;
template class ErrorWithHint<std::invalid_argument>;

}  // namespace quickselection
