import type { CallMode, Operation, Target } from '@tollgate/providers'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import { canCarry, passesThrough } from '../../upstream/call-body.ts'
import type { CallRequest } from '../dialects/dialect.ts'
import type { ChannelRequirements } from './candidates.ts'
import type { FieldVerdict } from './field-policy.ts'

/** A call that waits for its answer. */
export interface RoutedCall {
  readonly mode: CallMode
  readonly model: string
  readonly request: Pick<CallRequest, 'format' | 'canonical' | 'encodeOwn' | 'suits' | 'pivot'>
  /** Of every channel, whatever its own setting. */
  readonly passThrough?: boolean
  /** Of the fields that change what the vendor charges; absent for calls without any. */
  readonly judgeFields?: ((channel: RoutedChannel, operation: Operation) => FieldVerdict) | undefined
}

/** What a channel must be able to serve for the call: its mode, in a format that its body can be said in. */
export function callRequirements({
  mode,
  model,
  request,
  passThrough = false,
  judgeFields,
}: RoutedCall): ChannelRequirements {
  return {
    model,
    isOffered: ({ provider }) => {
      if (mode === 'count-tokens') return provider.counting !== undefined
      return mode === 'realtime' ? provider.realtime !== undefined : isServed(provider.modes, mode)
    },
    operation(channel, target) {
      const operation = operationOf(channel, mode, target, request.format)
      return operation !== undefined && canCarry(request, operation) ? operation : undefined
    },
    ...(judgeFields !== undefined && { judgeFields }),
    passThrough: {
      isOn: ({ setting }) => passThrough || setting.passThroughBody,
      fits: (operation) => passesThrough(request, operation),
    },
  }
}

function isServed(modes: readonly CallMode[], mode: CallMode): boolean {
  return modes.includes(mode)
}

function operationOf(
  { provider }: RoutedChannel,
  mode: CallMode,
  target: Target,
  format: RoutedCall['request']['format'],
): Operation | undefined {
  switch (mode) {
    case 'count-tokens':
      return provider.counting?.(target)
    case 'realtime':
      return provider.realtime
    // What is finished later is no operation.
    case 'drawing':
    case 'music':
    case 'video':
      return undefined
    default:
      return provider.operation(mode, target, format)
  }
}
