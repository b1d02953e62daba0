import type { JsonSchema } from '../../../packages/api/src/openapi/index.ts'
import type { ConsoleCall, ConsoleContract } from './console-calls.ts'
import { type Arguments, argumentsOf } from './console-request.ts'

/** A read of the console with one of its filters. */
export interface ConsoleRead {
  readonly call: ConsoleCall
  readonly args: Arguments
}

/** Reads that wait for another service, or end a session. */
const elsewhere = /\/channel\/(test|update_balance|fetch_models)|\/release\/|\/oauth\/|\/user\/logout/

/** Reads whose response has everything there is, and comes in pieces. */
export const isExport = ({ path }: Pick<ConsoleCall, 'path'>) => path.includes('/export')

/** Every read of the console, as it is and with each thing that may be asked, over a log that `bench/fill-log.ts` has filled. */
export function everyRead(contract: ConsoleContract): ConsoleRead[] {
  return readsOf(contract, contract.calls.filter(isRead))
}

/** The exports that change something: the audit log records who made them. */
export function recordedExports(contract: ConsoleContract): ConsoleRead[] {
  return readsOf(
    contract,
    contract.calls.filter((call) => call.method === 'GET' && call.changes && isExport(call)),
  )
}

function readsOf(contract: ConsoleContract, calls: readonly ConsoleCall[]): ConsoleRead[] {
  return calls.flatMap((call) => askings(contract, call).map((args) => ({ call, args })))
}

function isRead({ method, path, access, changes }: ConsoleCall): boolean {
  return method === 'GET' && !changes && access !== 'signature' && !elsewhere.test(path)
}

const now = Math.floor(Date.now() / 1000)
const secondsPerDay = 86_400

/** Values that some rows have. */
const values: readonly (readonly [RegExp, string | number])[] = [
  [/^p$/, 50],
  [/^page_size$|^size$/, 100],
  [/^id$|^user_id$|^channel(_id)?$|^token_id$/, 500],
  [/^start/, now - 7 * secondsPerDay],
  [/^end/, now],
  [/^username$|^user$/, 'filled-user-500'],
  [/^token(_name)?$/, 'filled-token-700'],
  [/^model(_name)?$/, 'filled-model-7'],
  [/^group$/, 'filled-group-1'],
  [/^keyword$/, 'filled-user-50'],
  [/^type$/, 2],
]

function askings(contract: ConsoleContract, call: ConsoleCall): Arguments[] {
  const optional = call.parameters.filter(({ in: position, required }) => position === 'query' && !required)
  const isOptional = (name: string) => optional.some((parameter) => parameter.name === name)
  const all = [undefined, ...optional.map(({ name }) => name)].map((chosen) =>
    argumentsOf(contract, call, (name, shape) =>
      name === chosen || !isOptional(name) ? filledValue(name, shape) : undefined,
    ),
  )
  // What has no value that some row has is asked as if it were not.
  return [...new Map(all.map((args) => [args.target, args])).values()]
}

function filledValue(name: string, shape: JsonSchema): unknown {
  const [choice] = (shape['enum'] ?? []) as readonly unknown[]
  const value = choice ?? values.find(([pattern]) => pattern.test(name))?.[1]
  return value ?? (shape['type'] === 'boolean' ? true : undefined)
}
