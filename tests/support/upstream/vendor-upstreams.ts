import type { Operator } from '../operator.ts'
import type { ReceivedCall } from '../protocols/protocol.ts'

/** A vendor in its own framing, as one response of each kind. */
export interface Vendor {
  readonly channelType: number
  readonly key: string
  /** The channel's free field. */
  readonly other?: string
  /** Path of its calls, behind the base URL of its channel. */
  readonly path: string
  stream(call: VendorCall): string
  buffered(call: VendorCall): unknown
  readonly refusal: { readonly status: number; readonly body: unknown }
}

export type VendorCall = Pick<ReceivedCall, 'path' | 'headers' | 'json'>

/** Vendors behind one port: the first segment of the base URL identifies each. */
export interface VendorUpstreams {
  /** The latest call to a vendor. */
  lastCall(name: string): VendorCall | undefined
  /** Makes the vendor refuse calls from now on. */
  refuse(name: string): void
  stop(): Promise<void>
}

/** Starts all vendors, each with a channel of its own that serves one model of its name. */
export async function startVendors(
  operator: Operator,
  vendors: Readonly<Record<string, Vendor>>,
): Promise<VendorUpstreams> {
  const calls = new Map<string, VendorCall>()
  const refusing = new Set<string>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const [, name = '', ...rest] = new URL(request.url).pathname.split('/')
      const vendor = vendors[name]
      const path = `/${rest.join('/')}`
      if (vendor === undefined || path !== vendor.path) return Response.json({}, { status: 404 })
      const headers = Object.fromEntries(request.headers)
      const json = (await request.json()) as Record<string, unknown>
      const call = { path, headers, json }
      calls.set(name, call)
      if (refusing.has(name) || headers.authorization !== `Bearer ${vendor.key}`)
        return Response.json(vendor.refusal.body, { status: vendor.refusal.status })
      return replyOf(vendor, call)
    },
  })
  for (const [name, { channelType: type, key, other = '' }] of Object.entries(vendors)) {
    const base_url = `http://127.0.0.1:${server.port}/${name}`
    await operator.addChannel({ name, type, key, other, base_url, models: name })
  }
  return {
    lastCall: (name) => calls.get(name),
    refuse: (name) => void refusing.add(name),
    stop: () => server.stop(true),
  }
}

function replyOf(vendor: Vendor, call: VendorCall): Response {
  const isStream = call.json.stream === true || call.json.response_mode === 'streaming'
  if (!isStream) return Response.json(vendor.buffered(call))
  return new Response(vendor.stream(call), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  })
}

/** Server-sent events of these payloads. */
export function events(...payloads: readonly (object | string)[]): string {
  return payloads
    .map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`)
    .join('')
}
