import { isObject, parseJson, textOf } from '../json-value.ts'
import { SunoFault } from './fault.ts'

const notTaken = 500
const ok = 200

/**
 * Id of the task that an upstream took an order as. The answer itself goes to the client as it is.
 * @throws SunoFault for an answer that took none, with the upstream's own code and message where it says them
 */
export function readSunoReply(status: number, body: string): string {
  const reply = parseJson(body)
  const said = isObject(reply) ? reply : {}
  const { code, message, data } = said
  if (status !== ok)
    throw new SunoFault('fail_to_fetch_task', textOf(message) || `the upstream answered ${status}`, status)
  if (code === 'success' && typeof data === 'string' && data.trim() !== '') return data.trim()
  if (typeof code === 'string' && code !== '' && code !== 'success')
    throw new SunoFault(code, textOf(message), notTaken)
  throw new SunoFault('unmarshal_response_body_failed', 'the upstream answered nothing of a task', notTaken)
}
