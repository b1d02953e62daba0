/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string
  readonly name: string
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number
  /** Milliseconds since 1970. */
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly events: readonly string[]
  /** 2 for an error. */
  readonly status: number
  /** Attributes of the service. */
  readonly resource: Readonly<Record<string, string | number | boolean>>
}

/** The spans of a request to `/v1/traces`, by the schema of opentelemetry/proto/trace/v1/trace.proto. */
export function decodeTraceRequest(contentType: string, body: Uint8Array): readonly ReceivedSpan[] {
  return contentType === 'application/json'
    ? spansOfJson(JSON.parse(new TextDecoder().decode(body)))
    : spansOfProtobuf(new Message(body))
}

type Attributes = Record<string, string | number | boolean>

interface JsonValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: string | number
  readonly doubleValue?: number
}
type JsonAttributes = readonly { readonly key: string; readonly value: JsonValue }[]

interface JsonSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes?: JsonAttributes
  readonly events?: readonly { readonly name: string }[]
  readonly status?: { readonly code?: number }
}

interface JsonRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: JsonAttributes }
    readonly scopeSpans: readonly { readonly spans: readonly JsonSpan[] }[]
  }[]
}

function spansOfJson({ resourceSpans }: JsonRequest): readonly ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        name: span.name,
        kind: span.kind,
        startMs: Number(span.startTimeUnixNano) / 1e6,
        endMs: Number(span.endTimeUnixNano) / 1e6,
        attributes: jsonAttributes(span.attributes ?? []),
        events: (span.events ?? []).map(({ name }) => name),
        status: span.status?.code ?? 0,
        resource: jsonAttributes(resource.attributes),
      })),
    ),
  )
}

function jsonAttributes(list: JsonAttributes): Attributes {
  return Object.fromEntries(
    list.map(({ key, value: { stringValue, boolValue, intValue, doubleValue } }) => [
      key,
      stringValue ?? boolValue ?? doubleValue ?? Number(intValue),
    ]),
  )
}

function spansOfProtobuf(request: Message): readonly ReceivedSpan[] {
  return request.messages(1).flatMap((resourceSpans) => {
    const resource = resourceSpans.messages(1).flatMap((found) => found.messages(1))
    return resourceSpans
      .messages(2)
      .flatMap((scopeSpans) => scopeSpans.messages(2))
      .map((span) => ({
        traceId: span.hex(1),
        spanId: span.hex(2),
        parentSpanId: span.hex(4),
        name: span.text(5),
        kind: span.integer(6),
        startMs: span.integer(7) / 1e6,
        endMs: span.integer(8) / 1e6,
        attributes: protobufAttributes(span.messages(9)),
        events: span.messages(11).map((event) => event.text(2)),
        status: span.messages(15)[0]?.integer(3) ?? 0,
        resource: protobufAttributes(resource),
      }))
  })
}

function protobufAttributes(pairs: readonly Message[]): Attributes {
  return Object.fromEntries(pairs.map((pair) => [pair.text(1), protobufValue(pair.messages(2)[0])]))
}

/** `AnyValue`: text, bool, int or double; lists are not needed here. */
function protobufValue(value: Message | undefined): string | number | boolean {
  if (value === undefined) return ''
  if (value.has(1)) return value.text(1)
  if (value.has(2)) return value.integer(2) === 1
  return value.has(3) ? value.integer(3) : value.double(4)
}

/** The fields of one protobuf message. https://protobuf.dev/programming-guides/encoding/ */
class Message {
  readonly #fields = new Map<number, (Uint8Array | bigint)[]>()

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let at = 0
    const varint = (): bigint => {
      let value = 0n
      for (let shift = 0n; ; shift += 7n) {
        const byte = bytes[at++] ?? 0
        value |= BigInt(byte & 0x7f) << shift
        if (byte < 0x80) return value
      }
    }
    const take = (length: number): Uint8Array => {
      at += length
      if (at > bytes.length) throw new Error('a field is longer than its message')
      return bytes.subarray(at - length, at)
    }
    while (at < bytes.length) {
      const tag = Number(varint())
      const values = this.#fields.get(tag >> 3) ?? []
      this.#fields.set(tag >> 3, values)
      const wire = tag & 7
      if (wire === 0) values.push(varint())
      else if (wire === 1) {
        values.push(view.getBigUint64(at, true))
        take(8)
      } else if (wire === 2) values.push(take(Number(varint())))
      else if (wire === 5) {
        values.push(BigInt(view.getUint32(at, true)))
        take(4)
      } else throw new Error(`wire type ${wire} is unknown`)
    }
  }

  has(field: number): boolean {
    return this.#fields.has(field)
  }

  messages(field: number): readonly Message[] {
    return this.#all(field).map((bytes) => new Message(bytes))
  }

  text(field: number): string {
    return new TextDecoder().decode(this.#all(field)[0])
  }

  hex(field: number): string {
    return Buffer.from(this.#all(field)[0] ?? new Uint8Array()).toString('hex')
  }

  integer(field: number): number {
    const value = this.#fields.get(field)?.[0]
    return typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : 0
  }

  double(field: number): number {
    const value = this.#fields.get(field)?.[0]
    return typeof value === 'bigint' ? (new Float64Array(new BigUint64Array([value]).buffer)[0] ?? 0) : 0
  }

  #all(field: number): readonly Uint8Array[] {
    return (this.#fields.get(field) ?? []).filter((value) => value instanceof Uint8Array)
  }
}
