import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import {
  createContext,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../../lib/cx.ts'
import { Button, IconButton } from '../button.tsx'
import { KeyCaps } from '../kbd.tsx'
import { ConfirmPopup } from './dialog-popup.tsx'
import { isFocusUnmoved } from './focus-unmoved.ts'
import { useLeaveQuestion } from './leave-question.ts'

export interface SheetProps {
  readonly open: boolean
  /** The person is done with it; for a routed sheet: go back to the list. */
  readonly onClose: () => void
  readonly title: ReactNode
  readonly description?: ReactNode
  /** Under the title, staying while the body scrolls: ways into a long form. */
  readonly nav?: ReactNode
  /** Something was typed and not saved: leaving asks first. */
  readonly dirty?: boolean
  /** Gives the sheet a form with a save button; Ctrl or ⌘ with Enter saves from anywhere in it. */
  readonly onSubmit?: () => void
  readonly submitLabel?: string
  readonly submitting?: boolean
  readonly submitDisabled?: boolean
  /** Left of the buttons: a second action, a note. */
  readonly footer?: ReactNode
  /** Over the buttons: what came of the second action. */
  readonly note?: ReactNode
  readonly size?: 'md' | 'lg'
  readonly children: ReactNode
}

const width = 'sm:max-w-[520px] has-data-[size=lg]:sm:max-w-[760px]'
/** Stands in the panel of a sheet whose content is on its way. React holds it back for 300 ms, which draws a form in parts that no press waits for. */
const outline =
  "empty:before:m-5 empty:before:h-28 empty:before:animate-pulse empty:before:rounded empty:before:bg-sunken empty:before:content-['']"

/** Behaviour of a panel that its content decides. */
interface Content {
  readonly close: () => void
  readonly saveByKey: (event: KeyboardEvent) => void
}

interface Frame {
  readonly panel: RefObject<HTMLDivElement | null>
  readonly content: RefObject<Content | null>
}

/** The panel that is open around a sheet which has none of its own. */
const FrameContext = createContext<Frame | undefined>(undefined)

/** A panel at the right for creating, editing and looking closely; the whole screen on a phone. Within a `SheetFrame` its content alone. */
export function SheetPanel(props: SheetProps) {
  const frame = useContext(FrameContext)
  if (frame !== undefined) return <SheetContent {...props} frame={frame} isReplacing />
  return (
    <SheetFrame open={props.open}>
      <FrameContext.Consumer>
        {(own) => own && <SheetContent {...props} frame={own} isReplacing={false} />}
      </FrameContext.Consumer>
    </SheetFrame>
  )
}

interface SheetFrameProps {
  readonly open: boolean
  /** One sheet at a time: its content comes and goes, and the panel with its focus stays. */
  readonly children: ReactNode
}

/** The panel of a sheet whose content changes while it is open: a record that loads, and then its form. */
export function SheetFrame({ open, children }: SheetFrameProps) {
  const panel = useRef<HTMLDivElement>(null)
  const content = useRef<Content>(null)
  const frame = useMemo(() => ({ panel, content }), [])
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && content.current?.close()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-30 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          ref={panel}
          initialFocus={(how) => !hasFocusWithin(panel.current) && firstField(panel.current, how)}
          onKeyDown={(event) => content.current?.saveByKey(event)}
          className={cx(
            'fixed inset-y-0 right-0 z-30 flex w-full flex-col border-line bg-surface text-text shadow-float outline-none transition-transform duration-150 ease-out data-ending-style:translate-x-6 data-ending-style:opacity-0 data-starting-style:translate-x-6 data-starting-style:opacity-0 sm:border-l',
            width,
            outline,
          )}
        >
          <FrameContext value={frame}>{children}</FrameContext>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

interface SheetContentProps extends SheetProps {
  readonly frame: Frame
  /** It takes the place of another content of the same panel. */
  readonly isReplacing: boolean
}

function SheetContent({ frame, isReplacing, ...props }: SheetContentProps) {
  const { open, onClose, title, description, onSubmit, size = 'md', children } = props
  const { t } = useTranslation()
  const leave = useLeaveQuestion(onClose, {
    dirty: open && props.dirty === true,
    saving: props.submitting === true,
  })
  const form = useRef<HTMLFormElement>(null)
  useImperativeHandle(frame.content, () => ({ close: leave.ask, saveByKey }))
  useFocusOfContent(frame.panel, isReplacing)

  function submit(event: FormEvent): void {
    event.preventDefault()
    event.stopPropagation()
    if (onSubmit) leave.allowDuring(onSubmit)
  }
  function saveByKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !onSubmit || props.submitting) return
    // A dialog that is open over the sheet is another place, although its events come by here.
    if (!frame.panel.current?.contains(event.target as Node)) return
    event.preventDefault()
    form.current?.requestSubmit()
  }

  return (
    // A sheet that opens from within this one is a panel of its own.
    <FrameContext value={undefined}>
      <SheetHeader title={title} description={description} size={size} />
      {props.nav && <div className="shrink-0 border-b">{props.nav}</div>}
      {onSubmit ? (
        <form ref={form} noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4">{children}</div>
          <SheetFooter {...props} />
        </form>
      ) : (
        <>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4">{children}</div>
          {props.footer && <div className="shrink-0 border-t px-5 py-3">{props.footer}</div>}
        </>
      )}
      <ConfirmPopup
        open={leave.asking}
        onCancel={leave.stay}
        onConfirm={leave.go}
        title={t('unsaved.title')}
        description={t('unsaved.description')}
        confirmLabel={t('unsaved.discard')}
        cancelLabel={t('unsaved.stay')}
        danger
      />
    </FrameContext>
  )
}

/** Gives the first field of a content that replaces another the focus, unless the person has moved it meanwhile. */
function useFocusOfContent(panel: Frame['panel'], isReplacing: boolean): void {
  useEffect(() => {
    const { current } = panel
    if (!isReplacing || current === null || !isFocusUnmoved()) return
    const field = firstField(current, '')
    if (field instanceof HTMLElement) field.focus()
    else if (!current.contains(document.activeElement)) current.focus()
  }, [panel, isReplacing])
}

/** Returns whether the content has put the cursor into a field of its choice. */
function hasFocusWithin(panel: HTMLElement | null): boolean {
  return document.activeElement !== panel && panel?.contains(document.activeElement) === true
}

/** The first field; on a touch screen the panel itself, so that no keyboard covers it at once. */
function firstField(panel: HTMLElement | null, how: string): HTMLElement | boolean | null {
  if (how === 'touch' || window.matchMedia('(pointer: coarse)').matches) return panel
  return (
    panel?.querySelector<HTMLElement>('form :is(input, textarea, button[role="combobox"]):not(:disabled)') ??
    true
  )
}

function SheetHeader({ title, description, size }: Pick<SheetProps, 'title' | 'description' | 'size'>) {
  const { t } = useTranslation()
  return (
    <header data-size={size} className="flex shrink-0 items-start justify-between gap-3 border-b px-5 py-3">
      <div className="min-w-0">
        <Base.Title className="truncate font-semibold text-base">{title}</Base.Title>
        {description && <Base.Description className="text-muted text-xs">{description}</Base.Description>}
      </div>
      <Base.Close
        render={<IconButton label={t('action.close')} icon={X} size="sm" tooltip={false} className="-mr-2" />}
      />
    </header>
  )
}

function SheetFooter({ footer, note, submitLabel, submitting = false, submitDisabled = false }: SheetProps) {
  const { t } = useTranslation()
  return (
    <div className="shrink-0 border-t bg-surface px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      {note}
      <div className="flex items-center justify-end gap-2">
        {footer && <div className="mr-auto min-w-0">{footer}</div>}
        <Base.Close render={<Button>{t('action.cancel')}</Button>} />
        <Button variant="primary" type="submit" loading={submitting} disabled={submitDisabled}>
          {submitLabel ?? t('action.save')}
          <KeyCaps keys="mod+Enter" className="ml-1 max-sm:hidden" onAccent />
        </Button>
      </div>
    </div>
  )
}
