"""A real client: the official Python SDK lists the tools, calls them and follows their cursors."""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def failed(result):
    return bool(getattr(result, "isError", getattr(result, "is_error", False)))


def parts(result):
    """Our own words, and what stands between the marks."""
    texts = [content.text for content in result.content]
    recorded = texts[1].split("\n", 2)[2].rsplit("\n", 1)[0] if len(texts) > 1 else ""
    return json.loads(texts[0]), recorded


async def pages(session, tool, arguments):
    """Every reply of a question, each within its budget."""
    cursor, found = None, []
    while True:
        given = dict(arguments, cursor=cursor) if cursor else arguments
        result = await session.call_tool(tool, given)
        assert not failed(result), result
        size = sum(len(content.text.encode()) for content in result.content)
        assert size <= arguments.get("max_bytes", 16384), size
        facts, recorded = parts(result)
        found.append((facts, recorded))
        cursor = facts.get("next_cursor")
        if not cursor:
            return found


async def main(program):
    server = StdioServerParameters(command=program, args=["mcp"], env=dict(os.environ))
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            await session.send_ping()
            tools = {tool.name: tool for tool in (await session.list_tools()).tools}
            assert {"search", "show", "timeline", "sessions"} <= set(tools), tools

            told = await pages(session, "timeline", {"session": "s", "max_bytes": 4096})
            rows = [json.loads(line) for _, recorded in told for line in recorded.splitlines()]
            assert len(told) > 3 and len(rows) == 201, (len(told), len(rows))

            found = await pages(session, "search", {"query": 'session:s "token expired"', "max_bytes": 8192})
            hits = {json.loads(line)["event"] for _, recorded in found for line in recorded.splitlines()}
            assert len(hits) == 200 and found[0][0]["total"] == 200, len(hits)

            thought = {"session": "s", "agent": "developer", "phase": "completion", "text": "Done: password=hunter2hunter2"}
            facts, _ = parts(await session.call_tool("save_reasoning", thought))
            assert facts["durable"] and facts["redacted"], facts
            read = await pages(session, "get_reasoning", {"session": "s", "phase": "completion"})
            assert "hunter2" not in read[0][1] and "Done" in read[0][1], read

            result = await session.call_tool("timeline", {"session": "nobody"})
            assert failed(result) and "hint: " in result.content[0].text, result
    print("all is well")


asyncio.run(main(sys.argv[1]))
