import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

export interface TabsProps<Value extends string> {
  readonly value: Value
  readonly onValueChange: (value: Value) => void
  readonly tabs: readonly { readonly value: Value; readonly label: ReactNode; readonly content?: ReactNode }[]
  readonly 'aria-label': string
}

/**
 * Parts of one page, one visible at a time. Keep the choice in the URL where it matters.
 * Arrow keys, Home and End move between the tabs, Enter opens one. https://www.w3.org/WAI/ARIA/apg/patterns/tabs/
 */
export function Tabs<Value extends string>({ value, onValueChange, tabs, ...rest }: TabsProps<Value>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const tabId = (tab: Value) => `${id}-${tab}`
  const panelId = (tab: Value) => `${id}-${tab}-panel`
  const visible = tabs.find((tab) => tab.value === value)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div
        ref={list}
        role="tablist"
        aria-label={rest['aria-label']}
        onKeyDown={(event) => moveFocus(event, list.current)}
        className="relative flex gap-1 overflow-x-auto border-b max-sm:gap-0"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={tabId(tab.value)}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value && tab.content !== undefined ? panelId(tab.value) : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onValueChange(tab.value)}
            className="h-control shrink-0 whitespace-nowrap border-transparent border-b-2 px-2.5 text-muted text-sm max-sm:px-1.5 hover:text-text focus-visible:-outline-offset-2 aria-selected:border-accent aria-selected:font-medium aria-selected:text-text"
          >
            {tab.label}
          </button>
        ))}
      </div>
      {visible?.content !== undefined && (
        <div
          role="tabpanel"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel takes the focus, so that the keyboard can scroll it
          tabIndex={0}
          id={panelId(value)}
          aria-labelledby={tabId(value)}
          className="outline-none"
        >
          {visible.content}
        </div>
      )}
    </div>
  )
}

function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const tabs = [...(list?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]
  const at = tabs.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
  if (next === undefined || at === -1) return
  event.preventDefault()
  tabs.at(next % tabs.length)?.focus()
}
