import { headersOf, parseAnswerHead } from '../../client/answer-head.ts'
import { createBodyDecoder } from '../../wire/body-decoder.ts'

/** An answer as a caller sees it. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** In Latin-1. */
  readonly body: string
  readonly isWhole: boolean
}

/**
 * The answers that `bytes` are, read by what the other side of the house reads answers with. Throws when they are none.
 * @param methods of the requests that were answered: what answers `HEAD` has no body
 */
export function readAnswers(bytes: Buffer, methods: readonly string[] = []): readonly Answer[] {
  const answers: Answer[] = []
  let rest = bytes
  let finals = 0
  while (rest.length > 0) {
    const [answer, size] = readAnswer(rest, methods[finals] === 'HEAD')
    answers.push(answer)
    rest = rest.subarray(size)
    if (answer.status >= 200) finals += 1
  }
  return answers
}

function readAnswer(bytes: Buffer, isSilent: boolean): readonly [Answer, number] {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) throw new Error(`no head of an answer: ${bytes.toString('latin1', 0, 200)}`)
  const head = parseAnswerHead(bytes.toString('latin1', 0, headEnd))
  const decoder = createBodyDecoder(isSilent ? 0 : head.framing)
  const body: Buffer[] = []
  const taken = decoder.done ? 0 : decoder.push(bytes.subarray(headEnd + 4), body)
  const answer = {
    status: head.status,
    headers: new Headers([...headersOf(head)]),
    body: Buffer.concat(body).toString('latin1'),
    isWhole: decoder.done,
  }
  return [answer, headEnd + 4 + taken]
}
