import { Desk, Jug, streamed } from './applications.ts'
import { Call, settled } from './call.ts'
import { get, message } from './messages.ts'

/** The head of a request whose body is so long. */
export const awaited = (length: number) => message('POST', '/', [`Content-Length: ${length}`])

/** A request has come (`GET`, unless these pieces), and its application has not answered. */
export async function asked(...pieces: readonly string[]) {
  const desk = new Desk()
  const call = new Call(desk.application)
  await call.send(...(pieces.length > 0 ? pieces : [get('/a')]))
  return { desk, call }
}

/** A streamed answer has been begun. */
export async function streaming(...pieces: readonly string[]) {
  const { desk, call } = await asked(...pieces)
  const jug = new Jug()
  desk.answer(streamed((sink) => jug.pipe(sink)))
  await settled()
  jug.write('begun ')
  return { desk, call, jug }
}
