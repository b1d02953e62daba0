import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

export interface TabsProps<Value extends string> {
  readonly value: Value
  readonly onValueChange: (value: Value) => void
  readonly tabs: readonly { readonly value: Value; readonly label: ReactNode; readonly content?: ReactNode }[]
  readonly 'aria-label': string
}

/** Parts of one page, one visible at a time. Keep the choice in the URL where it matters. */
export function Tabs<Value extends string>({ value, onValueChange, tabs, ...rest }: TabsProps<Value>) {
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => onValueChange(next as Value)}
      className="flex min-w-0 flex-col gap-4"
    >
      <Base.List
        aria-label={rest['aria-label']}
        className="relative flex gap-1 overflow-x-auto border-b max-sm:gap-0"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="h-control whitespace-nowrap border-transparent border-b-2 px-2.5 text-muted text-sm max-sm:px-1.5 hover:text-text focus-visible:-outline-offset-2 data-active:border-accent data-active:font-medium data-active:text-text"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(
        (tab) =>
          tab.content !== undefined && (
            <Base.Panel key={tab.value} value={tab.value} className="outline-none">
              {tab.content}
            </Base.Panel>
          ),
      )}
    </Base.Root>
  )
}
