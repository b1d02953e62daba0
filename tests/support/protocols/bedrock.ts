import { crc32 } from 'node:zlib'
import { completeMessage, messageEvents, messagesFault, promptInMessages } from './anthropic.ts'
import type { Protocol, ReceivedCall } from './protocol.ts'
import { type AwsKey, signatureFault } from './sigv4.ts'

const paths = /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream)$/

/**
 * Fields that the service takes for these models; it refuses every other. `output_config` since 4.5.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html
 */
const known = new Set(
  'anthropic_version anthropic_beta max_tokens messages system temperature top_p top_k stop_sequences tools tool_choice thinking metadata output_config'.split(
    ' ',
  ),
)

/** Claude at Amazon Bedrock: signed requests, binary event frames around Anthropic's events. */
export function bedrockProtocol(key: AwsKey): Protocol {
  return {
    streamType: 'application/vnd.amazon.eventstream',
    wantsStream: ({ path }) => path.endsWith('/invoke-with-response-stream'),
    fault(call) {
      if (!paths.test(call.path)) return { status: 404, message: `no such path: ${call.path}` }
      const unsigned = signatureFault(call, key)
      return unsigned === undefined ? bodyFault(call) : { status: 403, message: unsigned }
    },
    frames: (reply, call) =>
      messageEvents(reply, { ...call.json, model: modelIn(call) }).map(({ event, delivers }) => ({
        bytes: eventFrame(event),
        delivers,
      })),
    buffered: (reply, call) => completeMessage(reply, { ...call.json, model: modelIn(call) }),
    refusal: (status, message) => ({
      headers: {
        'x-amzn-errortype': `${errorTypes[status] ?? 'InternalServerException'}:http://internal.amazon.com/`,
      },
      body: { message },
    }),
    garbled: namedFrame('chunk', { bytes: Buffer.from('{"type":"con').toString('base64') }),
    failure: (message) => exceptionFrame('throttlingException', { message }),
    modelOf: modelIn,
    reported: ({ json }) => promptInMessages(json),
  }
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  403: 'InvalidSignatureException',
  404: 'ResourceNotFoundException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
}

function bodyFault({ json }: ReceivedCall) {
  if (json.anthropic_version !== 'bedrock-2023-05-31')
    return { status: 400, message: 'anthropic_version is not supported' }
  const betas = Array.isArray(json.anthropic_beta) ? json.anthropic_beta.join() : ''
  const extra = Object.keys(json).find((name) => !known.has(name) && !isInBeta(name, betas))
  return extra === undefined
    ? messagesFault(json)
    : { status: 400, message: `${extra}: Extra inputs are not permitted` }
}

function isInBeta(name: string, betas: string): boolean {
  return name === 'context_management' && betas.includes('context-management-')
}

function modelIn({ path }: ReceivedCall): string {
  return decodeURIComponent(paths.exec(path)?.[1] ?? '')
}

/** The event as base64 inside a JSON object, with padding as the service adds it. */
function eventFrame(event: object): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(event)).toString('base64')
  return namedFrame('chunk', { bytes, p: 'abcdefghijk' })
}

/** An event of a stream, by its name. */
export function namedFrame(event: string, payload: object): Uint8Array {
  return frame(
    { ':event-type': event, ':content-type': 'application/json', ':message-type': 'event' },
    payload,
  )
}

/** A failure inside of a stream. */
export function exceptionFrame(type: string, payload: object): Uint8Array {
  return frame(
    { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' },
    payload,
  )
}

/** https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html#streaming-event-stream */
function frame(headers: Readonly<Record<string, string>>, payload: object): Uint8Array {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => stringHeader(name, value)))
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 + head.length + body.length, 0)
  prelude.writeUInt32BE(head.length, 4)
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
  const message = Buffer.concat([prelude, head, body])
  const end = Buffer.alloc(4)
  end.writeUInt32BE(crc32(message), 0)
  return Buffer.concat([message, end])
}

const stringType = 7

function stringHeader(name: string, value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(value), 0)
  return Buffer.concat([
    Buffer.of(Buffer.byteLength(name)),
    Buffer.from(name),
    Buffer.of(stringType),
    length,
    Buffer.from(value),
  ])
}
