"""Makes a seeded stand-in for ClickBench's `hits` table.

It has the columns that the 43 queries use (and so a narrower SELECT *). Each is skewed as the queries need: heads and tails
follow a power law, most search phrases, phone models and referers are empty, one counter (62) and one user have many rows,
and the hashes, URLs and titles that queries look for occur.
"""
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

START = np.datetime64("2013-07-01T00:00:00", "s")
USER, REFERER_HASH, URL_HASH = 435090932899640449, 3594120000172545465, 2868770270353813622


def skewed(rng, n, values, power=2.0):
    """Ordinals 0 to values-1, small ones more often."""
    return np.minimum((values * rng.random(n) ** power).astype(np.int64), values - 1)


def pick(rng, n, names, power=2.0):
    return pa.array(names).take(pa.array(skewed(rng, n, len(names), power)))


def sparse(rng, column, share):
    """The column with the empty text in all but that share of the rows."""
    keep = pa.array(rng.random(len(column)) < share)
    return pa.compute.if_else(keep, column, "")


def columns(rng, n):
    hosts = ["example.com", "www.google.com", "news.site.org", "shop.example.net", "google.ru", "a.b.c", "mail.host.de"]
    urls = [f"http://{hosts[i % 7]}/{'path' * (i % 3)}/{i}" for i in range(40_000)]
    referers = [f"http{'s' * (i % 2)}://{'www.' * (i % 3 == 0)}{hosts[i % 7]}/r/{i}" for i in range(20_000)]
    titles = [f"Title {i}" if i % 9 else f"Google results, page {i}" for i in range(30_000)]
    phrases = [f"phrase {i}" if i % 5 else f"длинная фраза {i}" for i in range(25_000)]
    models = [f"Model-{i}" for i in range(160)]
    seconds = skewed(rng, n, 31 * 86400, 1.0)
    time = START + seconds.astype("timedelta64[s]")
    user = rng.integers(1 << 40, 1 << 60, 90_000)[skewed(rng, n, 90_000)]
    user[rng.random(n) < 0.0001] = USER
    counter = np.where(rng.random(n) < 0.3, 62, skewed(rng, n, 6_000, 6.0) + 63)
    mine = counter == 62
    url_hash = np.where(mine & (rng.random(n) < 0.2), URL_HASH, rng.integers(-(1 << 62), 1 << 62, n))
    referer_hash = np.where(mine & (rng.random(n) < 0.2), REFERER_HASH, rng.integers(-(1 << 62), 1 << 62, n))
    flag = lambda share: (rng.random(n) < share).astype(np.int16)
    return {
        "WatchID": rng.integers(1 << 50, 1 << 62, n), "EventTime": pa.array(time.astype("datetime64[us]")),
        "EventDate": pa.array(time.astype("datetime64[D]")), "UserID": user, "CounterID": counter.astype(np.int32),
        "ClientIP": (skewed(rng, n, 120_000) * 7919 % 2_000_000_000 - 1_000_000_000).astype(np.int32),
        "RegionID": skewed(rng, n, 5_000, 4.0).astype(np.int32), "URL": sparse(rng, pick(rng, n, urls, 3.0), 0.97),
        "Referer": sparse(rng, pick(rng, n, referers, 3.0), 0.8), "Title": sparse(rng, pick(rng, n, titles), 0.9),
        "SearchPhrase": sparse(rng, pick(rng, n, phrases, 2.5), 0.13), "MobilePhoneModel": sparse(rng, pick(rng, n, models, 3.0), 0.06),
        "MobilePhone": skewed(rng, n, 90, 5.0).astype(np.int16), "SearchEngineID": skewed(rng, n, 60, 6.0).astype(np.int16),
        "AdvEngineID": np.where(rng.random(n) < 0.01, skewed(rng, n, 20) + 1, 0).astype(np.int16),
        "TraficSourceID": (skewed(rng, n, 10) - 1).astype(np.int16), "ResolutionWidth": (skewed(rng, n, 300) * 8).astype(np.int16),
        "WindowClientWidth": skewed(rng, n, 2_000, 1.2).astype(np.int16), "WindowClientHeight": skewed(rng, n, 1_200, 1.2).astype(np.int16),
        "IsRefresh": flag(0.2), "IsLink": flag(0.3), "IsDownload": flag(0.01), "DontCountHits": flag(0.1),
        "URLHash": url_hash, "RefererHash": referer_hash,
    }


def write(path, rows, seed=42):
    rng = np.random.default_rng(seed)
    pq.write_table(pa.table(columns(rng, rows)), path, row_group_size=1 << 17)
