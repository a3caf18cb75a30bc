"""A micro-service with the handler of `aileron-bench workers`: plain http.server and http.client, connections kept alive in
both directions. Its argument is the port of the host, which has the capability."""

import http.client
import http.server
import json
import socket
import sys
import threading

HOST_PORT = int(sys.argv[1])
kept = threading.local()


def search(request):
    """The capability: a request to the host."""
    if not hasattr(kept, "connection"):
        kept.connection = http.client.HTTPConnection("127.0.0.1", HOST_PORT)
        kept.connection.connect()
        kept.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    kept.connection.request("POST", "/kb/search", json.dumps(request), {"content-type": "application/json"})
    return json.loads(kept.connection.getresponse().read())


def execute(args):
    hits = search({"query": args["query"], "namespace": args.get("namespace"), "topK": args["top_k"]})
    return {"ok": True, "data": {"hits": hits, "total": args["top_k"]}}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps(execute(request["args"])).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
