import { ManualApplication, ManualBody, streamed } from './applications.ts'
import { Call, settled } from './call.ts'
import { get, message } from './messages.ts'

/** The head of a request whose body is so long. */
export const awaited = (length: number) => message('POST', '/', [`Content-Length: ${length}`])

/** A request has come (`GET`, unless these pieces), and its application has not answered. */
export async function requested(...pieces: readonly string[]) {
  const manual = new ManualApplication()
  const call = new Call(manual.application)
  await call.send(...(pieces.length > 0 ? pieces : [get('/a')]))
  return { manual, call }
}

/** A streamed response has been begun. */
export async function streaming(...pieces: readonly string[]) {
  const { manual, call } = await requested(...pieces)
  const source = new ManualBody()
  manual.response(streamed((sink) => source.pipe(sink)))
  await settled()
  source.write('begun ')
  return { manual, call, source }
}
