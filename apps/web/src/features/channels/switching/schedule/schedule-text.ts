import type { Channel } from '@tollgate/api'
import type { TFunction } from 'i18next'
import { momentText } from '../../state-sentence.ts'

/** Says when a channel is switched, and who planned it; `undefined` where nothing is planned. */
export function scheduleText(schedule: Channel['schedule'], t: TFunction<'channels'>): string | undefined {
  if (!schedule) return undefined
  const { off_at, on_at, by } = schedule
  const [off, on] = [momentText(off_at), momentText(on_at)]
  if (off_at === 0) return t('schedule.on', { on, by })
  return on_at === 0 ? t('schedule.off', { off, by }) : t('schedule.offAndOn', { off, on, by })
}
