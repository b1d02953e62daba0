import type { Token } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { StatusDot } from '../../../components/ui/tag.tsx'
import { relativeTime } from '../../../lib/relative-time.ts'
import { expiresSoon, limitedModels, stateOf, toneOf } from '../token-state.ts'

/** Enabled, and for how many models or for how long still; or why not. */
export function StatusCell({ token }: { readonly token: Token }) {
  const { t, i18n } = useTranslation('tokens')
  const state = stateOf(token)
  const now = Date.now() / 1000
  if (expiresSoon(token, now)) {
    const distance = relativeTime(token.expired_time, now, i18n.language)
    return <StatusDot tone="warn">{t('state.expiresSoon', { distance })}</StatusDot>
  }
  const models = limitedModels(token)
  if (state !== 'enabled' || !models) return <StatusDot tone={toneOf(state)}>{t(`state.${state}`)}</StatusDot>
  if (models.length === 0) return <StatusDot tone="warn">{t('state.noModels')}</StatusDot>
  return (
    <span data-tooltip={models.join('\n')} title={t('state.restricted')}>
      <StatusDot tone={toneOf(state)}>{t('state.enabledModels', { count: models.length })}</StatusDot>
    </span>
  )
}
