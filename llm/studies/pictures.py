"""A picture as a row of tokens: cut it into patches.

Dosovitskiy et al. 2020, "An Image is Worth 16x16 Words".
"""

import numpy as np

SIZE = 32
SKY, MEADOW, WALL = (0.62, 0.80, 0.95), (0.44, 0.66, 0.33), (0.93, 0.87, 0.74)
ROOF, DOOR, PANE = (0.72, 0.27, 0.20), (0.42, 0.27, 0.16), (0.36, 0.56, 0.78)
SUN = (0.99, 0.80, 0.24)


def small_picture():
    """A house, a meadow and the sun, drawn in a few lines.

    Returns:
        (32, 32, 3), red, green and blue from 0 to 1.
    """
    rows, columns = np.mgrid[:SIZE, :SIZE]
    picture = np.empty((SIZE, SIZE, 3))
    picture[:] = SKY
    picture[(rows - 6) ** 2 + (columns - 25) ** 2 <= 14] = SUN
    picture[rows >= 26] = MEADOW
    picture[15:28, 5:19] = WALL
    picture[(rows >= 7) & (rows < 15) & (abs(columns - 11.5) < rows - 5)] = ROOF
    picture[21:28, 8:12] = DOOR
    picture[18:22, 14:17] = PANE
    return picture


def patches(picture, size):
    """Cut a picture into square patches, row by row as one reads.

    Args:
        picture: (height, width, 3)
        size: the side of a patch; height and width are multiples of it.

    Returns:
        (num_patches, size * size * 3), one row a patch: the vector that stands
        where a word's embedding would.
    """
    height, width, colours = picture.shape
    if height % size or width % size:
        raise ValueError(
            f"A picture of {height} by {width} cannot be cut into patches of "
            f"{size} by {size}."
        )
    cut = picture.reshape(
        height // size, size, width // size, size, colours
    ).swapaxes(1, 2)
    return cut.reshape(-1, size * size * colours)


def put_together(rows, size, width):
    """The picture again, from its patches.

    Args:
        rows: (num_patches, size * size * 3)
        size: the side of a patch.
        width: the width of the picture.

    Returns:
        (height, width, 3)
    """
    across = width // size
    cut = rows.reshape(-1, across, size, size, 3).swapaxes(1, 2)
    return cut.reshape(-1, width, 3)


def with_gaps(rows, size, across, zoom, gap):
    """Patches side by side with gaps, large enough to be looked at.

    Args:
        rows: (num_patches, size * size * 3)
        size: the side of a patch.
        across: how many stand beside each other.
        zoom: screen points for each point of the picture.
        gap: screen points between two patches.

    Returns:
        (height, width, 4) whole numbers to 255; the gaps are transparent.
    """
    down, side = -(-len(rows) // across), size * zoom
    step = side + gap
    shown = np.zeros((down * step - gap, across * step - gap, 4), np.uint8)
    for number, row in enumerate(rows):
        top, left = number // across * step, number % across * step
        patch = row.reshape(size, size, 3).repeat(zoom, 0).repeat(zoom, 1)
        shown[top : top + side, left : left + side, :3] = np.rint(255 * patch)
        shown[top : top + side, left : left + side, 3] = 255
    return shown
