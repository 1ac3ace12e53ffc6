// src/report/page.h: what all reports share: the page around the data, and compact ways to write
// it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/processes/meters.h"
#include "core/text/fields_json.h"
#include "quickselection/dataset.h"
#include "quickselection/setting.h"

namespace quickselection {

/// False when the program was built without the scripts of the page.
bool reports_available();

/// Throws Error when they are not. For commands, before the long work.
void check_reports();

/// One self-contained page. `data["kind"]` says which file of report/src/kinds shows it. The page
/// may run its own script and nothing else, and connects to nothing.
std::string report_page(const std::string& title, const Json& data);

/// The file's name alone: where it lies is the writer's business, not the reader's.
std::string file_name(const std::string& path);

/// "86.9 %", with three digits at most and without a line break before the sign.
std::string percent(double share);

/// Bytes as text, a third longer.
std::string base64(std::span<const std::uint8_t> bytes);

/// Blocks that several kinds have in common.
Json about_data(const Dataset& data);
Json about_settings(std::span<const Setting> settings);
/// Time, peak memory so far, energy and its source.
Json about_costs(const Measured& measured);

}  // namespace quickselection
