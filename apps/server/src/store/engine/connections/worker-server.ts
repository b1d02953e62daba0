import { parentPort } from 'node:worker_threads'
import { StoreFault } from '../../errors.ts'
import type { WorkerCall, WorkerFailure, WorkerRequest, WorkerResponse } from './worker-messages.ts'

/** Worker side of a link: responds to every call, with a failure when `handle` throws. */
export function serveCalls(handle: (request: WorkerRequest) => unknown): void {
  parentPort?.on('message', async ({ id, request }: WorkerCall) => {
    const response = await handleRequest(id, request, handle)
    try {
      parentPort?.postMessage(response, transfersOf(response))
    } catch (error) {
      // A value that cannot be sent to another thread must not end this one.
      parentPort?.postMessage({ id, failure: failureOf(error) })
    }
  })
}

/** Bytes that fill a buffer of their own move to the other thread; the rest is copied. */
function transfersOf(response: WorkerResponse): ArrayBuffer[] {
  const value = 'value' in response ? response.value : undefined
  if (!(value instanceof Uint8Array && value.buffer instanceof ArrayBuffer)) return []
  return value.byteLength === value.buffer.byteLength ? [value.buffer] : []
}

async function handleRequest(
  id: number,
  request: WorkerRequest,
  handle: (request: WorkerRequest) => unknown,
): Promise<WorkerResponse> {
  try {
    return { id, value: await handle(request) }
  } catch (error) {
    return { id, failure: failureOf(error) }
  }
}

/** Describes an error as it crosses threads. */
export function failureOf(error: unknown): WorkerFailure {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  const failure = { name, message, code: codeOf(error) }
  return error instanceof StoreFault ? { ...failure, fault: error.kind } : failure
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}
