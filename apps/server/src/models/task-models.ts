import { modelFacts } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import type { ChannelSnapshot, RoutedChannel } from '../channels/routing/routing-types.ts'

const found = new WeakMap<ChannelSnapshot, ReadonlySet<string>>()

/**
 * Models whose calls order work that ends later, at every enabled channel that serves them: drawings, songs, videos. Such work
 * has no tokens, so its price is one per call. Worked out once for a state of the channels.
 */
export function taskModels(snapshot: ChannelSnapshot): ReadonlySet<string> {
  return getOrInsert(found, snapshot, () => {
    const enabled = snapshot.channels.filter(({ status }) => status === 'enabled')
    const models = new Set(enabled.flatMap(tasksOf))
    for (const channel of models.size === 0 ? [] : enabled)
      for (const model of channel.models) if (!isTask(channel, model)) models.delete(model)
    return models
  })
}

function tasksOf(channel: RoutedChannel): readonly string[] {
  if (channel.provider.tasks === undefined) return []
  return [...channel.models].filter((model) => isTask(channel, model))
}

/** An upstream that does other work too makes videos by the models that are known for them. */
function isTask({ provider, modelMapping }: RoutedChannel, model: string): boolean {
  const { tasks, modes } = provider
  if (tasks === undefined || modes.length === 0) return tasks !== undefined
  const upstreamModel = modelMapping.get(model) ?? model
  return tasks.video?.(upstreamModel) !== undefined && [model, upstreamModel].some(makesVideos)
}

function makesVideos(model: string): boolean {
  return modelFacts(model)?.capabilities.includes('video') ?? false
}
