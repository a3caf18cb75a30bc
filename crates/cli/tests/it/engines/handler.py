"""The behaviours of engines/behaviours.rs. ASYNC and AWAIT are written for each kind of handler."""

import time

from aileron import ErrorType, IntentType, ToolError

SPAN = {"start": "2026-03-02T00:00:00Z", "end": "2026-03-03T00:00:00Z"}
KEPT = []


ASYNC def search(context, query):
    return AWAIT context.kb.search(query=query, namespace="studio", topK=3)


ASYNC def code_of(act):
    try:
        result = act()
        if hasattr(result, "__await__"):
            AWAIT result
        return "no error"
    except Exception as error:
        return getattr(error, "code", type(error).__name__)


ASYNC def execute(args, context):
    what, value = args["do"], args.get("value")
    if what == "data":
        return {"ok": True, "data": {"n": 1, "text": value, "list": [True, None, 0.5]}}
    if what == "no_data":
        return {"ok": True}
    if what == "intents":
        return {"ok": True, "data": {}, "intents": [{"type": IntentType.SUPPRESS_TRANSCRIPT, "value": True}]}
    if what == "returned_error":
        error = {"type": "CONFLICT", "message": "taken", "retryable": True, "suggestion": "later", "details": {"a": 1}}
        return {"ok": False, "error": error}
    if what == "no_envelope":
        return 7
    if what == "nothing":
        return None
    if what == "too_large":
        return {"ok": True, "data": "x" * 5_000_000}
    if what == "circular":
        data = {}
        data["data"] = data
        return {"ok": True, "data": data}
    if what == "every_field":
        raise ToolError(
            ErrorType.CONFLICT,
            "taken",
            retryable=False,
            partial_side_effects=True,
            idempotency_required=True,
            suggestion="another",
            details={"free": [1, 2]},
        )
    if what == "error_type":
        raise ToolError(value, "as told", retryable=False)
    if what == "unknown_type":
        raise ToolError("NO_SUCH_TYPE", "as told")
    if what == "thrown_error":
        raise TypeError("something broke")
    if what == "thrown_text":
        raise "only a text"
    if what == "kb":
        hits = AWAIT search(context, "plan")
        records = AWAIT context.kb.get(ids=["doc:plan"])
        return {"ok": True, "data": [hits[0]["id"], hits[0]["sourceType"], records[0]["title"], records[0]["lastUpdated"]]}
    if what == "calendar":
        busy = AWAIT context.calendar.free_busy(attendees=["ada@example.com"], **SPAN)
        draft = {"id": "draft-1", "expires": "2099-01-01T00:00:00Z", "title": "Talk", **SPAN}
        AWAIT context.calendar.save_drafts(drafts=[draft])
        saved = AWAIT context.calendar.get_draft(id="draft-1")
        return {"ok": True, "data": [busy[0]["email"], len(busy[0]["busy"]), saved["title"]]}
    if what == "images":
        made = AWAIT context.images.generate(prompt="a boat", aspectRatio="1:1", count=1, idempotencyKey="k")
        image = made["images"][0]
        found = AWAIT context.images.get({"id": image["id"]})
        looked = AWAIT context.images.look(url="https://example.com/a.png")
        kind = "number" if isinstance(looked["width"], int) else "other"
        return {"ok": True, "data": [len(made["images"]), found["id"] == image["id"], kind]}
    if what == "messaging":
        AWAIT context.messaging.send({"text": "hello there"})
        return {"ok": True, "data": {}}
    if what == "audit":
        context.audit.log("looked", {"at": "this"})
        return {"ok": True, "data": {}}
    if what == "voice":
        return {"ok": True, "data": [context.voice.is_active(), context.voice.end_session(), context.audio.suppress(True)]}
    if what == "tools":
        answer = AWAIT context.tools.call("contract_bare", {"do": "no_data"})
        return {"ok": True, "data": [answer["ok"], answer["data"]]}
    if what == "secret":
        return {"ok": True, "data": {"key": context.secret.get("CONTRACT_SECRET")}}
    if what == "secret_undeclared":
        return {"ok": True, "data": AWAIT code_of(lambda: context.secret.get("HOME"))}
    if what == "fault_caught":
        return {"ok": True, "data": AWAIT code_of(lambda: context.http.fetch("https://other.example.com/"))}
    if what == "fault_uncaught":
        AWAIT context.http.fetch("https://other.example.com/")
    if what == "fault_after_effect":
        AWAIT context.messaging.send({"text": "sent before"})
        AWAIT context.http.fetch("https://other.example.com/")
    if what == "undeclared":
        names = ("kb", "http", "messaging")
        return {"ok": True, "data": ["object" if hasattr(context, name) else "undefined" for name in names]}
    if what == "context":
        return {
            "ok": True,
            "data": {
                "mode": context.mode,
                "conversation": context.conversation_id,
                "client": context.client_id,
                "call": context.call_id,
                "user": context.user["id"],
                "active": context.session["isActive"],
                "toolsVersion": context.session["toolsVersion"],
                "stateMode": context.session["state"]["mode"],
                "capabilities": context.capabilities,
                "meta": context.meta,
                "tool": context.tool,
                "key": len(context.idempotency_key) > 0,
                "time": context.now() > 1_700_000_000_000 and context.deadline > context.now(),
                "aborted": context.signal.aborted,
            },
        }
    if what == "progress":
        context.progress({"done": 1})
        context.partial({"piece": "first"})
        return {"ok": True, "data": {}}
    if what == "console":
        import logging

        logging.getLogger("steps").warning("mind the step")
        return {"ok": True, "data": {}}
    if what == "waits":
        context.progress("begun")
        AWAIT search(context, "never")
        return {"ok": True, "data": "after all"}
    if what == "spins":
        context.progress("begun")
        while True:
            pass
    if what == "memory":
        kept = []
        while True:
            kept.append([len(kept)] * 10_000)
    if what == "keeps_context":
        before = KEPT.pop() if KEPT else None
        KEPT.append(context)
        code = (AWAIT code_of(lambda: search(before, "plan"))) if before else "REFUSED"
        return {"ok": True, "data": code}
    if what == "unawaited":
        return {"ok": True, "data": "done"}
    if what == "own_call":
        print("of " + value)
        AWAIT search(context, "plan")
        context.progress(value)
        return {"ok": True, "data": [value, context.call_id]}
    raise KeyError(what)
