// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: the built-in evaluation text.
#include "engine/lab/evaluation_text.h"

namespace vitrine::engine {

std::string_view evaluation_text() noexcept {
    return R"(The harbour wakes before the town does. At five in the morning the first boats come back with their lamps
still burning, and the men who mend the nets sit down on the stones to wait for them. Nobody speaks much. When the boxes
are on the quay, a woman from the market walks along the row, lifts a fish by its tail, looks at the eye and names a price.
Most days the price is taken. On the days when it is not, the boats lie a little longer at the wall, and the gulls learn of
it first.

A thermometer does not measure heat; it measures its own temperature. If it is put into a cup of tea, it takes some warmth
from the tea until both are equally warm, and only then does the number on its scale mean anything. For a large cup the
difference is too small to matter. For a single drop it would be wrong by several degrees. Whoever measures something also
changes it, and a good instrument is one that changes little and tells how much.

In 1854 a physician marked every death of an outbreak of cholera on a map of his district. The marks crowded around one
pump. He had the handle of that pump taken off, and although the outbreak was already fading, the map convinced more people
than a hundred pages of argument had done. The lesson is not that maps are always right, but that a picture which keeps
every single case lets the reader doubt, count and check.

def mean(values):
    """Returns the arithmetic mean of a list that is not empty."""
    total = 0.0
    for value in values:
        total += value
    return total / len(values)

The function above is short, yet it can fail in three ways: the list may be empty, one of its entries may not be a number,
and the sum may lose digits when the entries differ much in size. A reader who knows this will ask which of the three the
caller has already excluded. A comment that answers the question is worth more than one that repeats the code.

To bake a simple loaf, mix 500 grams of flour, 350 grams of water, 10 grams of salt and 2 grams of dry yeast. Cover the
bowl and leave it for twelve hours at room temperature. Fold the dough four times, shape it, and let it rest for another
hour while the oven heats to 240 degrees. Bake it for 25 minutes in a closed pot and for 20 minutes without the lid. The
crust should sound hollow when you knock on it from below. Let the bread cool completely before you cut it, even though
this is the hardest part of the recipe.

The committee met on Tuesday to discuss the budget for the coming year. Income had risen by 3.5 percent, while expenses had
grown by 6 percent, mostly because of repairs to the roof of the library. After a long debate the members agreed to delay
the new parking lot, to keep the opening hours of the swimming pool, and to ask the county for a share of the cost of the
bridge. The next meeting will take place on the second Thursday in October.
)";
}

} // namespace vitrine::engine
