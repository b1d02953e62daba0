import { type Clock, unixSeconds } from '@tollgate/base'
import type { TaskMode } from '@tollgate/providers'
import type { RelayCaller } from '../../../gateway/relay/admission.ts'
import { newCallTrace } from '../../../gateway/relay/call.ts'
import type { Dialect } from '../../../gateway/relay/dialects/dialect.ts'
import { type TaskCall, type TaskFormat, taskCall } from '../../../gateway/tasks/task-order.ts'
import type { CallBodies } from '../call-bodies.ts'
import type { RelayContext } from '../relay-context.ts'

export interface TaskCallDependencies {
  readonly dialects: Readonly<Record<'openai', Dialect>>
  readonly wallClock: Clock
}

interface TaskDetails {
  readonly mode: TaskMode
  readonly format: TaskFormat
  readonly model: string
  /** Texts of the caller, which are checked for the operator's words. */
  readonly texts: readonly string[]
}

/** A caller and the body that they sent. */
export interface ReceivedTask {
  readonly caller: RelayCaller
  readonly body: string
}

/** Reads the body of a submission. */
export async function received(
  { request }: RelayContext,
  caller: RelayCaller,
  { bodies }: { readonly bodies: CallBodies },
): Promise<ReceivedTask> {
  return { caller, body: await bodies.text(request, caller.user.id) }
}

/** The call that submits a task. */
export function taskCallOf(
  { request, requestId, startedAt }: RelayContext,
  caller: RelayCaller,
  { mode, ...details }: TaskDetails,
  { dialects, wallClock }: TaskCallDependencies,
): TaskCall {
  const call = {
    requestId,
    createdAt: unixSeconds(wallClock),
    startedAt,
    headers: request.headers,
    trace: newCallTrace(),
    mode,
    dialect: dialects.openai,
    caller,
  }
  return taskCall(call, details)
}
