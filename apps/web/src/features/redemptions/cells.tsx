import type { WireRedemption } from '@tollgate/api'
import { Eye } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../components/ui/button.tsx'
import { CopyButton } from '../../components/ui/copy.tsx'
import { Popover } from '../../components/ui/popover.tsx'
import { StatusDot } from '../../components/ui/tag.tsx'
import { When } from '../../components/ui/when.tsx'
import { maskedCode, stateOf, toneOf } from './code-state.ts'

interface CellProps {
  readonly code: WireRedemption
}

export function StatusCell({ code }: CellProps) {
  const { t } = useTranslation('redemptions')
  const state = stateOf(code)
  return <StatusDot tone={toneOf(state)}>{t(`state.${state}`)}</StatusDot>
}

/** The code without its middle; whole on demand, and copied without being shown. */
export function CodeCell({ code }: CellProps) {
  const { t } = useTranslation('redemptions')
  const { name, key } = code
  return (
    <span className="inline-flex items-center">
      <span className="mr-1 font-mono text-xs">{maskedCode(code)}</span>
      <Popover
        label={t('code.of', { name })}
        trigger={<IconButton icon={Eye} size="sm" label={t('code.reveal', { name })} />}
      >
        <span className="flex items-center gap-2">
          <code className="select-all break-all text-xs">{key}</code>
          <CopyButton value={key} label={t('code.copy')} />
        </span>
      </Popover>
      <CopyButton value={key} label={t('code.copyOf', { name })} />
    </span>
  )
}

/** By whom and when it was redeemed. */
export function RedeemedCell({ code }: CellProps) {
  const { t } = useTranslation('redemptions')
  if (code.used_user_id === 0) return <span className="text-muted">{t('redeemed.nobody')}</span>
  return (
    <span className="inline-flex items-baseline gap-1.5 whitespace-nowrap">
      {t('redeemed.user', { id: code.used_user_id })}
      {code.redeemed_time > 0 && <When at={code.redeemed_time} className="figures text-muted text-xs" />}
    </span>
  )
}
