import { parseArgs } from 'node:util'
import { type Exchange, recordedExchanges } from '../support/recordings/exchanges.ts'
import { startReplayedGateway } from '../support/recordings/replayed-gateway.ts'
import { buildFormerProgram } from '../support/upgrades/former-program.ts'
import { type GeneratedCall, generatedCall } from './generated-calls.ts'
import { loggedRows, type Outcome, outcomeOf, prepareTarget, type ReplayTarget } from './outcomes.ts'

/**
 * `npm run replay -- --former ab0a32dc5 --calls 10000 --seed 7`: variations of recorded calls through this tree and through that of an
 * earlier commit, over vendors that respond alike. Prints what differs of responses, requests to vendors, log rows, charges and
 * reservations, and ends with 1 when anything does. `--reworded 'former=present'` names a sentence that was changed since.
 */
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { former: text, calls: text, seed: text, reworded: { ...text, multiple: true } },
})
const { former, calls = '10000', seed = String(Date.now() % 1_000_000), reworded = [] } = values
const recordings = process.env.TOLLGATE_RECORDINGS
const maxPrinted = 20
const sentences = reworded.map((each) => each.split('='))
const presentWords = (sentence: string) =>
  sentences.reduce((left, [one = '', other = '']) => left.replaceAll(one, other), sentence)

interface Compared {
  readonly call: GeneratedCall
  readonly before: Outcome
  readonly after: Outcome
}

async function startTarget(exchanges: readonly Exchange[], program?: string): Promise<ReplayTarget> {
  return prepareTarget(await startReplayedGateway(exchanges, program === undefined ? {} : { program }))
}

async function replay(root: string, commit: string): Promise<number> {
  const exchanges = recordedExchanges(root)
  const { program } = buildFormerProgram(commit)
  const targets = [await startTarget(exchanges, program), await startTarget(exchanges)] as const
  try {
    const compared: Compared[] = []
    for (let number = 0; number < Number(calls); number += 1) {
      const call = generatedCall(exchanges, Number(seed), number)
      const [before, after] = await Promise.all([outcomeOf(targets[0], call), outcomeOf(targets[1], call)])
      compared.push({ call, before, after })
    }
    return await report(compared, targets)
  } finally {
    await Promise.all(targets.map(({ replayed }) => replayed.stop()))
  }
}

async function report(compared: readonly Compared[], targets: readonly ReplayTarget[]): Promise<number> {
  const served = compared.filter(({ after }) => after.status === 200).length
  const [rowsBefore, rowsAfter] = await Promise.all(
    targets.map(({ replayed }) => loggedRows(replayed.operator, 0)),
  )
  const differences = compared.flatMap(({ call, before, after }) => {
    const rows = [rowsBefore?.get(before.requestId), rowsAfter?.get(after.requestId)] as const
    return differencesOf(before, after, rows).map((difference) => `${call.name}\n  ${difference}`)
  })
  const [spentBefore, spentAfter] = await Promise.all(
    targets.map(({ replayed }) => replayed.operator.quota()),
  )
  if (spentBefore !== spentAfter) differences.push(`balances: ${spentBefore} and ${spentAfter}`)
  for (const difference of differences.slice(0, maxPrinted)) console.log(difference)
  const rows = `${rowsBefore?.size} and ${rowsAfter?.size} log rows`
  console.log(
    `${compared.length} calls of seed ${seed}, ${served} served, ${rows}: ${differences.length} differ`,
  )
  return differences.length === 0 ? 0 : 1
}

type Rows = readonly [before: string | undefined, after: string | undefined]

function differencesOf(before: Outcome, after: Outcome, [rowBefore, rowAfter]: Rows): readonly string[] {
  const parts = [
    ['status', String(before.status), String(after.status)],
    ['response', before.text, after.text],
    ['requests to the vendor', before.sent.join('\n'), after.sent.join('\n')],
    ['reservation', before.refusal, after.refusal],
    ['log row', rowBefore ?? 'none', rowAfter ?? 'none'],
  ] as const
  return parts.flatMap(([part, former, other]) => {
    const one = presentWords(former)
    return one === other ? [] : [`${part}: ${around(one, other)} | ${around(other, one)}`]
  })
}

const contextLength = 120

/** The text around the first character that differs. */
function around(text: string, other: string): string {
  let at = 0
  while (at < text.length && text[at] === other[at]) at += 1
  return JSON.stringify(text.slice(Math.max(0, at - contextLength), at + contextLength))
}

if (
  recordings === undefined ||
  former === undefined ||
  ![calls, seed].every((value) => /^\d{1,9}$/.test(value))
) {
  console.error(
    'tollgate: npm run replay takes --former, a commit; --calls and --seed are integers. TOLLGATE_RECORDINGS names a folder',
  )
  process.exitCode = 1
} else process.exit(await replay(recordings, former))
