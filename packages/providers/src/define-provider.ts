import { decodeErrorBody, type FormatName, type UpstreamCodec } from '@tollgate/formats'
import { bearer } from './credential.ts'
import type { Operation, PlainFormat, Provider, RelayMode, Target } from './provider.ts'

/** A provider before the table gives it its id and its address. */
export type ProviderShape = Omit<Provider, 'id' | 'defaultBaseUrl'>

/** Chooses the operation of a mode where the model or the caller's format decides; `undefined` where the provider has none. */
type OperationChoice = (target: Target, callerFormat: FormatName | PlainFormat) => Operation | undefined

/** Differences from a provider with a bearer token, no operations and the common shape of errors. */
type ProviderSpec = Partial<Omit<ProviderShape, 'modes' | 'operation'>> & {
  readonly operations?: { readonly [Mode in RelayMode]?: Operation | OperationChoice }
}

/** A provider of a shape of its own. It serves the modes that have an operation, or a choice of one. */
export function defineProvider({ operations = {}, ...more }: ProviderSpec): ProviderShape {
  return {
    credential: { kind: 'headers', headers: bearer },
    decodeError: (failure) => decodeErrorBody(failure),
    ...more,
    modes: Object.keys(operations) as readonly RelayMode[], // Its keys are the modes.
    operation(mode, target, callerFormat) {
      const operation = operations[mode]
      return typeof operation === 'function' ? operation(target, callerFormat) : operation
    },
  }
}

/** A chat operation: format and errors are its codec's, events are server-sent, `stream_options` is not sent. */
export function chatOperation(
  spec: Partial<Operation> & { readonly codec: UpstreamCodec } & Pick<Operation, 'endpoint'>,
): Operation {
  const { format, decodeError } = spec.codec
  return { format, framing: 'sse', streamOptions: false, decodeError, ...spec }
}

/** An operation of another mode, in a form of the upstream's own: its response never streams. */
export function plainOperation(
  spec: Partial<Operation> & Pick<Operation, 'format' | 'endpoint' | 'decodeError'>,
): Operation {
  return { framing: 'sse', streamOptions: false, ...spec }
}
