import type { ChannelOutcome, ChannelOutcomeRepository } from '../../store/repositories/channels.ts'
import type { ChannelSnapshot } from '../routing/routing-types.ts'
import type { HealthBook } from './health-types.ts'

interface Dependencies {
  readonly outcomes: Pick<ChannelOutcomeRepository, 'save'>
  readonly health: Pick<HealthBook, 'takeOutcomes'>
  readonly directory: { readonly snapshot: ChannelSnapshot }
}

/** Writes the outcomes that changed since the last run. The next run repeats what could not be written. */
export function createOutcomeWriter({ outcomes, health, directory }: Dependencies): () => Promise<void> {
  const unwritten = new Map<number, ChannelOutcome>()
  return async () => {
    for (const outcome of health.takeOutcomes()) unwritten.set(outcome.channelId, outcome)
    const written = [...unwritten.values()].filter(({ channelId }) => directory.snapshot.channel(channelId))
    await outcomes.save(written)
    unwritten.clear()
  }
}
