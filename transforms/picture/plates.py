"""Which plates stand on a hex with many units, and where."""

from collections.abc import Callable, Sequence

from transforms.picture.tiles import Plate

Size = Callable[[Plate], tuple[int, int]]
Spot = tuple[Plate, int, int]
_AT_MOST = 12


def arrange(
    own: Sequence[Plate], foreign: Sequence[Plate], size: Size, room: tuple[int, int]
) -> list[Spot]:
    """Plates with the pixels from the middle of the top edge of `room` to their centres.

    As many as there is room for, own ones first; the others of each side become one plate with
    their count. `room` is width and height.
    """
    shown = [min(len(own), _AT_MOST), min(len(foreign), _AT_MOST)]
    while True:
        plates = [*_cut(own, shown[0]), *_cut(foreign, shown[1])]
        rows = _rows(plates, size, room[0])
        if _height(rows, size) <= room[1] or shown == [0, 0]:
            return _spots(rows, size, room[1])
        shown[shown[1] > shown[0]] -= 1


def _cut(plates: Sequence[Plate], shown: int) -> list[Plate]:
    """The first `shown` plates and one that counts the rest."""
    rest = len(plates) - shown
    if rest == 0:
        return list(plates)
    first = plates[0]
    text = f"+{rest}" if shown else first.short if rest == 1 else f"{rest}×"
    shape = first.shape if len({p.shape for p in plates}) == 1 else "block"
    colour = first.colour if len({p.colour for p in plates}) == 1 else (40, 40, 40)
    return [*plates[:shown], Plate(text, text, shape, first.own, colour)]


def _rows(plates: Sequence[Plate], size: Size, width: int) -> list[list[Plate]]:
    rows: list[list[Plate]] = []
    used = 0
    for plate in plates:
        needed = size(plate)[0] + 3
        if rows and used + needed <= width:
            rows[-1].append(plate)
            used += needed
        else:
            rows.append([plate])
            used = needed
    return rows


def _height(rows: list[list[Plate]], size: Size) -> int:
    return sum(max(size(p)[1] for p in row) + 3 for row in rows)


def _spots(rows: list[list[Plate]], size: Size, height: int) -> list[Spot]:
    """Rows from the foot of the room upwards, each centred."""
    spots: list[Spot] = []
    y = height - _height(rows, size)
    for row in rows:
        row_height = max(size(p)[1] for p in row) + 3
        x = -(sum(size(p)[0] + 3 for p in row)) // 2
        for plate in row:
            width = size(plate)[0] + 3
            spots.append((plate, x + width // 2, y + row_height // 2))
            x += width
        y += row_height
    return spots
