import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { RefObject } from 'react'
import { cx } from '../../../lib/cx.ts'
import type { MenuAction, MenuCheck, MenuChoice, MenuEntry, MenuItems } from './menu-items.ts'

export interface MenuPopupProps {
  readonly anchor: RefObject<HTMLElement | null>
  readonly labelledBy: string
  readonly items: MenuItems
  readonly align: 'start' | 'center' | 'end'
  readonly onClose: () => void
}

const itemClass =
  'mx-1 flex cursor-default select-none items-center gap-2 rounded-sm px-2 py-1.5 outline-none data-disabled:opacity-50 data-highlighted:bg-hover max-sm:min-h-11'

/** A shadow at the bottom while there is more below. Here, because no other box has it and every page loads the styles. */
const shadowOfMore =
  'linear-gradient(to top, var(--raised) 40%, transparent) bottom / 100% 36px no-repeat local, linear-gradient(to top, var(--line-strong), transparent) bottom / 100% 12px no-repeat scroll'

/** The list of an open menu; loaded with the first menu that is opened. */
export function MenuPopup({ anchor, labelledBy, items, align, onClose }: MenuPopupProps) {
  function onOpenChange(open: boolean, details: Base.Root.ChangeEventDetails): void {
    if (open) return
    // The button is outside the menu too, but its own click closes it; closing here would make that click open it again.
    const onButton = details.event.target instanceof Node && anchor.current?.contains(details.event.target)
    if (details.reason === 'outside-press' && onButton) details.cancel()
    else onClose()
  }
  return (
    <Base.Root open modal={false} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Base.Popup
            aria-labelledby={labelledBy}
            finalFocus={anchor}
            className="floating appear min-w-44 overflow-hidden rounded text-sm outline-none"
          >
            <div
              style={{ background: shadowOfMore }}
              className="max-h-(--available-height) overflow-y-auto py-1"
            >
              {items.map((entry, index) =>
                entry ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other identity and hold no state
                  <Entry key={index} entry={entry} />
                ) : null,
              )}
            </div>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Entry({ entry }: { readonly entry: MenuEntry }) {
  switch (entry.kind) {
    case 'action':
      return <Action {...entry} />
    case 'choice':
      return <Choice {...entry} />
    case 'check':
      return <CheckEntry {...entry} />
    case 'separator':
      return <Base.Separator className="my-1 h-px bg-line" />
    case 'heading':
      return <div className="px-3 pt-1.5 pb-1 font-medium text-2xs text-muted">{entry.label}</div>
  }
}

function Action({ label, icon: Icon, run, danger = false, disabled = false, aside }: MenuAction) {
  return (
    <Base.Item
      onClick={run}
      disabled={disabled}
      className={cx(itemClass, danger && 'text-bad data-highlighted:bg-bad-soft')}
    >
      {Icon && <Icon className={cx('size-3.5 shrink-0', !danger && 'text-muted')} aria-hidden />}
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {aside && <span className="text-muted text-xs">{aside}</span>}
    </Base.Item>
  )
}

function Choice({ label, value, options, choose }: MenuChoice) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next: string) => choose(next)} aria-label={label}>
      {options.map(({ value: option, label: text, icon: Icon }) => (
        <Base.RadioItem key={option} value={option} closeOnClick className={itemClass}>
          {Icon && <Icon className="size-3.5 shrink-0 text-muted" aria-hidden />}
          <span className="flex-1">{text}</span>
          <Base.RadioItemIndicator>
            <Check className="size-3.5 text-accent-text" aria-hidden />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

function CheckEntry({ label, checked, change, disabled = false }: MenuCheck) {
  return (
    <Base.CheckboxItem
      checked={checked}
      onCheckedChange={change}
      disabled={disabled}
      closeOnClick={false}
      className={itemClass}
    >
      <span className="grid size-3.5 place-items-center">
        <Base.CheckboxItemIndicator>
          <Check className="size-3.5 text-accent-text" aria-hidden />
        </Base.CheckboxItemIndicator>
      </span>
      <span className="flex-1">{label}</span>
    </Base.CheckboxItem>
  )
}
