import type { Channel } from '@tollgate/api'
import type { TFunction } from 'i18next'
import { momentText } from '../../state-sentence.ts'

/** Says what is open at a draining channel, since when it drains, and what follows; `undefined` for another one. */
export function drainText(drain: Channel['drain'], t: TFunction<'channels'>): string | undefined {
  if (!drain) return undefined
  const { since, by, stays, open_calls, open_tasks, silent_nodes } = drain
  const open = [
    open_calls > 0 && t('drain.calls', { count: open_calls }),
    open_tasks > 0 && t('drain.tasks', { count: open_tasks }),
  ].filter((each) => each !== false)
  const waits = silent_nodes > 0 ? t('drain.silent', { count: silent_nodes }) : ''
  const what = open.length > 0 ? t('drain.open', { list: open.join(t('drain.and')) }) : t('drain.empty')
  const next = open.length > 0 || waits !== '' ? '' : t(stays ? 'drain.stays' : 'drain.ends')
  return [what, waits, next, t('drain.since', { time: momentText(since), by })]
    .filter((part) => part !== '')
    .join(' · ')
}
