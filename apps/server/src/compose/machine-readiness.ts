import { joinedReadiness, type Readiness, readinessResponse } from '../http/readiness.ts'
import type { Machine } from '../workers/machine.ts'

/** Pause between two looks at whether a worker takes calls. */
const lookMs = 250

/** Answers a load balancer: for this process, or for all workers of its machine, whichever of them it reached. */
export function composeReadiness(
  own: () => Promise<Readiness>,
  machine: Machine | undefined,
): () => Promise<Response> {
  machine?.respond('readiness', own)
  return async () => readinessResponse(machine === undefined ? await own() : await ofMachine(own, machine))
}

async function ofMachine(own: () => Promise<Readiness>, machine: Machine): Promise<Readiness> {
  const all = await machine.gather('readiness')
  // Those that leave are no part of it any more, unless all do.
  const staying = all.filter(({ isLeaving }) => !isLeaving)
  const counted = staying.length > 0 ? staying : all
  // Written by `createReadiness` of the same program. Nothing when the supervisor does not respond: this worker serves all the same.
  const values = counted.map(({ value }) => value as Readiness)
  return joinedReadiness(values.length > 0 ? values : [await own()])
}

/** Has new connections go to other workers while this one takes no calls. Returns what ends that. */
export function reportFitness(node: { readonly admits: boolean }, machine: Machine | undefined): () => void {
  if (machine === undefined) return () => undefined
  let reported = true
  const look = () => {
    if (node.admits !== reported) machine.fit(node.admits)
    reported = node.admits
  }
  const timer = setInterval(look, lookMs)
  timer.unref()
  return () => clearInterval(timer)
}
