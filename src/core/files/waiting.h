// src/core/files/waiting.h: waiting for others, who may never come: the end of a pipe.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>

namespace quickselection {

/// What is called a few times in a second while this process waits for others, and after a signal
/// came. What it throws ends the waiting. A program sets it once, before it works.
void set_while_waiting(std::function<void()> call);
void while_waiting();

/// open(), for a pipe without waiting in it: reading waits in read_waiting(); writing waits here,
/// until there is a reader.
int open_to_read(const std::string& path);
int open_to_write(const std::string& path);
/// read(), whatever signals come.
ssize_t read_waiting(int file, void* to, std::size_t bytes);

}  // namespace quickselection
