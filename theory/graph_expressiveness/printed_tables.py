"""The class counts as printed: Table 2.1 for nodes (networks, walk counts) and Table A.1 for graphs."""

from __future__ import annotations

NODE_CLASSES = {
    "cora": ((37, 37), (1589, 756), (2301, 2158), (2363, 2359), (2365, 2365)),
    "citeseer": ((31, 31), (984, 506), (1855, 1550), (2074, 2019), (2122, 2115)),
    "pubmed": ((82, 82), (8059, 3762), (12814, 12014), (12990, 12979), (12998, 12998)),
}

GRAPH_CLASSES = {
    "IMDB-BINARY": ((51, 537, 537), 537),
    "IMDB-MULTI": ((49, 387, 387), 387),
    "REDDIT-BINARY": ((781, 1998, 1998), 1998),
    "REDDIT-MULTI-5K": ((1365, 4999, 4999), 4999),
    "COLLAB": ((294, 4080, 4080), 4080),
}
"""For every collection the counts for K = 1, 2, 3, equal in both printed columns, and the isomorphism classes."""
