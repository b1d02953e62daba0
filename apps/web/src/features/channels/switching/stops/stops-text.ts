import type { ChannelStops } from '@tollgate/api'
import type { TFunction } from 'i18next'

/** Models that a sentence names; the others are counted. */
const maxNamed = 4

/** Says what stops with a change, and whom of the last hour it concerns: a sentence on each line. */
export function stopsText(stops: ChannelStops, t: TFunction<'channels'>): string {
  const { models, model_count, calls, users, attempts } = stops
  const sentences: string[] = []
  if (model_count > 0) {
    const named = models
      .slice(0, maxNamed)
      .map(({ model, groups }) => t('stops.model', { model, groups: groups.join(t('stops.comma')) }))
    const count = model_count - named.length
    const list = [...named, ...(count > 0 ? [t('stops.others', { count })] : [])].join(t('stops.separator'))
    sentences.push(t('stops.models', { count: model_count, list }))
    sentences.push(
      calls > 0
        ? t('stops.calls', { count: calls, users: t('stops.users', { count: users }) })
        : t('stops.unused'),
    )
  } else sentences.push(t('stops.nothing'))
  if (attempts > 0) sentences.push(t('stops.attempts', { count: attempts }))
  return sentences.join('\n')
}
