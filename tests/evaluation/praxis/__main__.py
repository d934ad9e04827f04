"""Judge Praxis on recorded deliveries: `python -m tests.evaluation.praxis --payloads F --out F`."""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from tests.evaluation.praxis.delivering import deliver, replay
from tests.evaluation.praxis.requests import index_of
from tests.evaluation.praxis.served import served


async def evaluate(payloads: Path, folder: Path) -> list[dict[str, Any]]:
    """Deliver all that the folder holds to a fresh Praxis."""
    async with served(folder) as running:
        lines = await deliver(running, payloads, index_of(payloads))
        return lines + await replay(running, payloads / "agent_sessions")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--payloads", type=Path, required=True, help="a folder with an INDEX.jsonl")
    parser.add_argument("--out", type=Path, help="where to write a line for each file")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="eco", dir="/tmp") as folder:
        lines = asyncio.run(evaluate(given.payloads, Path(folder)))
    if given.out:
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        given.out.write_text(text, "utf-8")
    for line in lines:
        if "session" in line:
            stands = " → ".join(each["stand"] for each in line["hooks"])
            missing = ", ".join(line["unseen"])
            print(f"{line['session']:<60} {stands}" + (f"  MISSING {missing}" if missing else ""))
            continue
        statuses = ",".join(str(each["status"]) for each in line.get("answers", []))
        print(f"{line['file']:<60} {line.get('error') or statuses}")
        for item in line.get("items", []):
            state = f"{item['operational']}/{item['attention']}"
            print(f"    {item['severity']:<8} {state:<18} {item['kind']:<22} {item['key'][:60]}")
            print(f"        {item['title']}")


if __name__ == "__main__":
    main()
