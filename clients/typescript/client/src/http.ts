// One HTTP request to the server: address, token, JSON in and out, errors.

import { AileronError, isAbort } from "./error.js";

export interface AileronOptions {
  /** Address of the server, such as `https://agent.example.com`; the page's own server if absent. */
  baseUrl?: string;
  /** The bearer token, or a function that returns the current one. */
  token?: string | (() => string | null);
  fetch?: typeof globalThis.fetch;
  /** Called when the server answers 401: the person has to sign in, again. */
  onSignedOut?: (error: AileronError) => void;
}

export interface RequestOptions {
  signal?: AbortSignal;
}

export type Query = Record<string, string | number | boolean | null | undefined>;

export interface HttpRequest extends RequestOptions {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  query?: Query | undefined;
  body?: unknown;
  accept?: string;
  headers?: Record<string, string>;
}

export class Http {
  private readonly baseUrl: string;

  constructor(private readonly options: AileronOptions) {
    this.baseUrl = (options.baseUrl ?? "").replace(/\/+$/, "");
  }

  token(): string | null {
    const { token } = this.options;
    return (typeof token === "function" ? token() : token) || null;
  }

  url(path: string, query: Query = {}): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) parameters.set(name, String(value));
    }
    const text = parameters.toString();
    return this.baseUrl + path + (text && `?${text}`);
  }

  /** The response of a request that succeeded; every other outcome is an `AileronError` or an `AbortError`. */
  async send(path: string, request: HttpRequest = {}): Promise<Response> {
    const headers: Record<string, string> = { accept: request.accept ?? "application/json", ...request.headers };
    const token = this.token();
    if (token !== null) headers.authorization = `Bearer ${token}`;
    const init: RequestInit = { method: request.method ?? "GET", headers };
    if (request.signal) init.signal = request.signal;
    if (request.body !== undefined) {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(request.body);
    }
    const fetch = this.options.fetch ?? globalThis.fetch;
    const response = await fetch(this.url(path, request.query), init).catch((cause: unknown) => {
      throw isAbort(cause) ? cause : AileronError.of(cause);
    });
    if (response.ok) return response;
    const error = await AileronError.read(response);
    if (error.status === 401) this.options.onSignedOut?.(error);
    throw error;
  }

  async json<T>(path: string, request: HttpRequest = {}): Promise<T> {
    const response = await this.send(path, request);
    return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
  }
}
