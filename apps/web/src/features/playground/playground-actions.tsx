import { Columns2, MessageSquarePlus, PanelLeft, SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton, type IconButtonProps } from '../../components/ui/button.tsx'
import { cx } from '../../lib/cx.ts'
import { CodeMenu, type CodeMenuProps } from './code/code-menu.tsx'

export interface PlaygroundActionsProps extends Omit<CodeMenuProps, 'small'> {
  readonly phone: boolean
  readonly panelOpen: boolean
  readonly onTogglePanel: () => void
  readonly comparing: boolean
  readonly onToggleCompare: () => void
  readonly onStartNew: () => void
  readonly canStartNew: boolean
}

/** What can be done with the whole conversation. */
export function PlaygroundActions(props: PlaygroundActionsProps): ReactNode {
  const { t } = useTranslation('playground')
  const { phone, panelOpen, comparing } = props
  return (
    <>
      <IconButton
        icon={phone ? SlidersHorizontal : PanelLeft}
        label={t('panel.toggle')}
        aria-expanded={panelOpen}
        onClick={props.onTogglePanel}
      />
      <Action
        compact={phone}
        icon={Columns2}
        label={t('compare.toggle')}
        aria-pressed={comparing}
        className={cx(comparing && 'border-accent! bg-accent-soft! text-accent-text!')}
        onClick={props.onToggleCompare}
      />
      <CodeMenu models={props.models} onCopy={props.onCopy} small={phone} />
      <Action
        compact={phone}
        icon={MessageSquarePlus}
        label={t('startAnew')}
        disabled={!props.canStartNew}
        onClick={props.onStartNew}
      />
    </>
  )
}

interface ActionProps extends Omit<IconButtonProps, 'variant' | 'size'> {
  readonly compact: boolean
}

/** Words beside the icon where there is room for them. */
function Action({ compact, ...action }: ActionProps) {
  if (compact) return <IconButton {...action} />
  const { label, icon, tooltip: _, ...rest } = action
  return (
    <Button icon={icon} {...rest}>
      {label}
    </Button>
  )
}
