import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../../lib/cx.ts'
import { Button, IconButton } from '../button.tsx'
import { useLeaveQuestion } from './leave-question.ts'

/** Drawn over a sheet too, for a dialog that opens from one. */
const backdrop =
  'fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'
const popup =
  'floating appear fixed top-[12dvh] left-1/2 z-40 flex max-h-[80dvh] w-[calc(100vw-2rem)] -translate-x-1/2 flex-col rounded-lg outline-none'

export interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly description?: ReactNode
  /** Buttons, at the right of the bottom. */
  readonly footer?: ReactNode
  readonly size?: 'sm' | 'md' | 'lg' | 'xl'
  /** Element that gets the focus first; the close button when there is none. */
  readonly initialFocus?: () => HTMLElement | null | undefined
  readonly children?: ReactNode
}

const widths = { sm: 'max-w-sm', md: 'max-w-lg', lg: 'max-w-2xl', xl: 'max-w-3xl' } as const

/** A question or an explanation over the page. Esc and a press outside close it; before they, a reload or the way back take typed text along, they ask. */
export function DialogPopup(props: DialogProps) {
  const { open, onClose, title, description, footer, size = 'md', initialFocus, children } = props
  const { t } = useTranslation()
  const { typed, note } = useTypedText(open)
  const leave = useLeaveQuestion(onClose, { dirty: open && typed, leadsOn: true })
  return (
    <>
      <Base.Root open={open} onOpenChange={(next) => !next && leave.ask()}>
        <Base.Portal>
          <Base.Backdrop forceRender className={backdrop} />
          <Base.Popup
            className={cx(popup, widths[size])}
            initialFocus={() => initialFocus?.() ?? true}
            onChange={note}
          >
            <div className="flex items-start justify-between gap-3 px-5 pt-4">
              <div className="min-w-0">
                <Base.Title className="font-semibold text-base">{title}</Base.Title>
                {description && (
                  <Base.Description className="mt-1 text-muted text-sm">{description}</Base.Description>
                )}
              </div>
              <Base.Close
                render={
                  <IconButton
                    label={t('action.close')}
                    icon={X}
                    size="sm"
                    tooltip={false}
                    className="-mr-2"
                  />
                }
              />
            </div>
            <div className="min-h-0 overflow-y-auto px-5 py-4 text-sm">{children}</div>
            {footer && <div className="flex justify-end gap-2 border-t px-5 py-3">{footer}</div>}
          </Base.Popup>
        </Base.Portal>
      </Base.Root>
      <ConfirmPopup
        open={leave.asking}
        title={t('unsaved.title')}
        description={t('unsaved.description')}
        confirmLabel={t('unsaved.discard')}
        cancelLabel={t('unsaved.stay')}
        danger
        onCancel={leave.stay}
        onConfirm={leave.go}
      />
    </>
  )
}

const textTypes = ['text', 'email', 'url']

/** Finds the field whose text would be lost: a search, a choice and a password are typed again with less trouble than a question. */
function textFieldOf(target: EventTarget): HTMLInputElement | HTMLTextAreaElement | undefined {
  if (target instanceof HTMLTextAreaElement) return target
  const isText = target instanceof HTMLInputElement && textTypes.includes(target.type)
  return isText && target.getAttribute('role') !== 'combobox' ? target : undefined
}

/** Notes whether something was typed since the dialog opened: closed, it holds nothing any more. */
function useTypedText(open: boolean) {
  const [typed, setTyped] = useState(false)
  if (!open && typed) setTyped(false)
  return {
    typed,
    note({ target }: FormEvent) {
      const field = textFieldOf(target)
      if (field) setTyped(field.value !== '')
    },
  }
}

export interface ConfirmDialogProps {
  readonly open: boolean
  readonly onCancel: () => void
  readonly onConfirm: () => void
  readonly title: ReactNode
  /** Sentence about the effect, and whether it can be undone. */
  readonly description: ReactNode
  /** The verb: "Delete channel". */
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly danger?: boolean
  readonly loading?: boolean
}

/** Asks before an action that cannot be undone. The safe choice has the focus. */
export function ConfirmPopup(props: ConfirmDialogProps) {
  const {
    open,
    onCancel,
    onConfirm,
    title,
    description,
    confirmLabel,
    cancelLabel,
    danger = false,
    loading = false,
  } = props
  const { t } = useTranslation()
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop forceRender className={backdrop} />
        <AlertDialog.Popup className={cx(popup, 'max-w-md p-5')}>
          <AlertDialog.Title className="font-semibold text-base">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-muted text-sm" render={<div />}>
            {description}
          </AlertDialog.Description>
          <div className="mt-5 flex justify-end gap-2 max-sm:flex-col-reverse">
            <AlertDialog.Close render={<Button>{cancelLabel ?? t('action.cancel')}</Button>} />
            <Button variant={danger ? 'danger' : 'primary'} loading={loading} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
