import { expect, it } from 'bun:test'
import { joinedReadiness, type Readiness, readinessResponse } from './readiness.ts'

const well: Readiness = {
  ready: true,
  database: true,
  admitting: true,
  hearing: true,
  stopping: false,
  clock: true,
  problems: [],
}
const deaf: Readiness = { ...well, ready: false, hearing: false, admitting: false }
const ending: Readiness = { ...well, ready: false, stopping: true }
const waits = (waiting: number) => ({ code: 'journal-waits', database: 'postgres', waiting }) as const

it.each<[string, readonly Readiness[], number, Partial<Readiness>]>([
  ['all of its processes are', [well, well], 200, { stopping: false }],
  ['one of them is, to which connections go', [deaf, well], 200, { hearing: true }],
])('a machine is ready when %s', (_, all, status, fields) => {
  expect(joinedReadiness(all)).toMatchObject(fields)
  expect(readinessResponse(joinedReadiness(all)).status).toBe(status)
})

it('a machine is not ready when none of its processes is', () => {
  expect(readinessResponse(joinedReadiness([deaf, deaf])).status).toBe(503)
  expect(joinedReadiness([ending, ending])).toMatchObject({ ready: false, stopping: true })
})

it('what waits in several journals is one problem, with the sum', async () => {
  const joined = joinedReadiness([
    { ...well, problems: [waits(3)] },
    { ...well, problems: [waits(4)] },
  ])
  expect(joined.problems).toEqual([waits(7)])
  const { problems } = (await readinessResponse(joined).json()) as { problems: string[] }
  expect(problems[0]).toStartWith('7 settled calls wait in the journal')
})
