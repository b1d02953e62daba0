import type { Token } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { StatusDot } from '../../../components/ui/tag.tsx'
import { limitedModels, stateOf, toneOf } from '../token-state.ts'

/** Enabled, and for how many models; or why not. */
export function StatusCell({ token }: { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  const state = stateOf(token)
  const models = limitedModels(token)
  if (state !== 'enabled' || !models) return <StatusDot tone={toneOf(state)}>{t(`state.${state}`)}</StatusDot>
  return (
    <span data-tooltip={models.join('\n')} title={t('state.restricted')}>
      <StatusDot tone={toneOf(state)}>{t('state.enabledModels', { count: models.length })}</StatusDot>
    </span>
  )
}
