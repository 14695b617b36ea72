// What the terminal can show.
#pragma once

namespace kwb {

struct TableOptions {
    bool unicode = true;   ///< false: ASCII only ("us", "-"), no bars
    bool colour = false;   ///< true: ANSI colours, which take no room
    unsigned width = 100;  ///< columns; from about 40 on every table line fits
};

}  // namespace kwb
