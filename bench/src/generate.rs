//! Toolsets for measurements: each tool is similar to `kb_search`, and no two are equal.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

/// Writes the requested number of tools.
pub(crate) fn run(tools: &Path, count: &str) -> Result<(), String> {
    let count = count.parse().map_err(|_| format!("expected a number, found {count:?}"))?;
    toolset(tools, count).map_err(|error| error.to_string())
}

/// Writes a folder of tools.
pub(crate) fn toolset(tools: &Path, count: usize) -> io::Result<()> {
    for number in 0..count {
        tool(tools, number)?;
    }
    Ok(())
}

fn tool(tools: &Path, number: usize) -> io::Result<()> {
    let folder = tools.join(format!("search-{number}"));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("schema.json"), format!("{:#}\n", schema(number)))?;
    fs::write(folder.join("guide.md"), guide(number))?;
    fs::write(folder.join("handler.js"), handler(number))?;
    fs::write(folder.join("cases.json"), format!("{:#}\n", cases(number)))
}

fn schema(number: usize) -> Value {
    json!({
        "toolId": format!("search_{number}"),
        "version": "1.0.0",
        "description": format!("Searches collection {number} and returns evidence with sources."),
        "category": "retrieval",
        "sideEffects": "read_only",
        "idempotent": true,
        "requiresConfirmation": false,
        "allowedModes": ["text", "voice"],
        "latencyBudgetMs": 800,
        "capabilities": ["kb"],
        "modeLimits": { "voice": { "top_k": { "maximum": 3 } } },
        "parameters": parameters(),
        "returns": {
            "type": "object",
            "properties": { "results": { "type": "array", "items": { "type": "object" }, "description": "Evidence, best first" } }
        }
    })
}

fn parameters() -> Value {
    let date = |what: &str| json!({ "type": "string", "format": "date-time", "description": what });
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["query"],
        "properties": {
            "query": { "type": "string", "description": "What to look for", "minLength": 1, "maxLength": 200 },
            "namespace": { "type": "string", "description": "Where to look", "enum": ["studio", "personal", "public"], "default": "studio" },
            "filters": {
                "type": "object",
                "description": "Narrows the results",
                "additionalProperties": false,
                "properties": {
                    "type": { "type": "string", "description": "Kind of record", "enum": ["project", "person", "process", "link", "doc"] },
                    "tags": { "type": "array", "description": "Tags that must all be there", "items": { "type": "string", "minLength": 1 }, "maxItems": 5 },
                    "date_range": {
                        "type": "object",
                        "description": "When the record last changed",
                        "additionalProperties": false,
                        "properties": { "start": date("Not before"), "end": date("Not after") }
                    }
                }
            },
            "top_k": { "type": "integer", "description": "How many results", "minimum": 1, "maximum": 10, "default": 5 },
            "return_fields": {
                "type": "array",
                "description": "Which fields to return",
                "items": { "type": "string", "enum": ["snippet", "full_text", "metadata", "sources", "url"] },
                "uniqueItems": true
            },
            "include_snippets": { "type": "boolean", "description": "Whether to return snippets", "default": true }
        }
    })
}

fn guide(number: usize) -> String {
    format!(
        "# search_{number}

Searches collection {number}. Use it before answering anything about its records.

## Parameters

- `query` (required): what to look for, in the person's words.
- `namespace`: where to look.
- `filters`: `filters.type`, `filters.tags` (all must match) and `filters.date_range`.
- `top_k`: how many results, three at most by voice.
- `return_fields`: which fields to return.
- `include_snippets`: whether to return snippets.

## Examples

```json
{{ \"query\": \"founder of studio {number}\", \"filters\": {{ \"type\": \"person\" }}, \"top_k\": 3 }}
```

```json
{{ \"query\": \"automation\", \"filters\": {{ \"tags\": [\"active\"], \"date_range\": {{ \"start\": \"2026-01-01T00:00:00Z\" }} }} }}
```

## Watch Out

- Cite the id of every record you use.
- Do not search twice for the same thing.
"
    )
}

fn handler(number: usize) -> String {
    format!(
        "import {{ ErrorType, ToolError }} from 'aileron';

const COLLECTION = 'collection-{number}';

function evidence(record) {{
  const {{ id, type, title, snippet = null, score, url = null, metadata = {{}} }} = record;
  return {{ id, type, title, snippet, score, url, metadata }};
}}

export async function execute({{ args, context }}) {{
  const {{ query, namespace, filters = {{}}, top_k: topK }} = args;
  try {{
    const records = await context.kb.search({{ collection: COLLECTION, query, namespace, filters, topK }});
    return {{ ok: true, data: {{ results: records.map(evidence) }} }};
  }} catch (error) {{
    if (error.code === 'TIMEOUT') {{
      throw new ToolError(ErrorType.TRANSIENT, 'The search took too long', {{ retryable: true }});
    }}
    throw error;
  }}
}}
"
    )
}

fn cases(number: usize) -> Value {
    json!([
        { "name": "finds", "args": { "query": format!("studio {number}") }, "expect": { "ok": true } },
        { "name": "refuses", "args": { "query": "" }, "expect": { "ok": false, "error": { "type": "VALIDATION" } } }
    ])
}
