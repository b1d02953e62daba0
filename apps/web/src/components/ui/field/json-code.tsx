import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { linter } from '@codemirror/lint'
import { Compartment, EditorSelection, EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useLayoutEffect, useRef } from 'react'

export interface JsonCodeProps {
  readonly value: string
  readonly onValueChange: (value: string) => void
  readonly onLeave: () => void
  readonly disabled: boolean
  /** Attributes of the text box, for screen readers. */
  readonly attributes: Readonly<Record<string, string>>
  /** Chosen text in the plain box that this replaces; `undefined` when the focus was elsewhere. */
  readonly selection: readonly [start: number, end: number] | undefined
}

/**
 * JSON with colours, line numbers and marked faults. Tab is left to the browser, so that it leads out of the box as out
 * of any other; Ctrl or ⌘ with Enter is left to the form.
 */
export function JsonCode(props: JsonCodeProps) {
  const { value, disabled, attributes, selection } = props
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef(props)
  const typed = useRef<string[]>([])
  useLayoutEffect(() => {
    latest.current = props
  })

  // Made once: what changes later is handed to it below. In a layout effect, so that the focus passes on in one go.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first value and selection are where it starts from
  useLayoutEffect(() => {
    if (!container.current) return
    const editor = createEditor(container.current, latest, (text) => typed.current.push(text))
    view.current = editor
    if (selection !== undefined) {
      const [anchor, head] = selection.map((position) => Math.min(position, value.length))
      editor.dispatch({ selection: EditorSelection.single(anchor ?? 0, head) })
      editor.focus()
    }
    return () => editor.destroy()
  }, [])

  useEffect(() => {
    const state = view.current?.state
    // A value that was typed here comes back when more has been typed since: that is no change from outside.
    const returned = typed.current.indexOf(value)
    typed.current = returned < 0 ? [] : typed.current.slice(returned + 1)
    if (returned < 0 && state && state.doc.toString() !== value)
      view.current?.dispatch({ changes: { from: 0, to: state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    view.current?.dispatch({ effects: changeable.reconfigure(changing(disabled, attributes)) })
  }, [disabled, attributes])
  useLabelClick(attributes['aria-labelledby'], view)

  return <div ref={container} className="field max-h-96 overflow-hidden text-sm" />
}

const changeable = new Compartment()

function createEditor(
  parent: HTMLElement,
  latest: { readonly current: JsonCodeProps },
  onType: (text: string) => void,
): EditorView {
  const { value, disabled, attributes } = latest.current
  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged) {
      const text = update.state.doc.toString()
      onType(text)
      latest.current.onValueChange(text)
    }
    if (update.focusChanged && !update.view.hasFocus) latest.current.onLeave()
  })
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: value,
      extensions: [
        json(),
        linter(jsonParseLinter(), { delay: 300 }),
        history(),
        bracketMatching(),
        lineNumbers(),
        keymap.of([...historyKeymap, ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter')]),
        syntaxHighlighting(colours),
        look,
        EditorView.lineWrapping,
        listener,
        changeable.of(changing(disabled, attributes)),
      ],
    }),
  })
}

function changing(disabled: boolean, attributes: JsonCodeProps['attributes']): Extension {
  return [
    EditorState.readOnly.of(disabled),
    EditorView.editable.of(!disabled),
    EditorView.contentAttributes.of({
      ...attributes,
      ...(disabled && { 'aria-disabled': 'true' }),
      spellcheck: 'false',
    }),
  ]
}

/** A label leads only to the browser's own controls by itself. */
function useLabelClick(
  labelId: string | undefined,
  view: { readonly current: EditorView | undefined },
): void {
  useEffect(() => {
    const label = labelId === undefined ? null : document.getElementById(labelId)
    const focus = () => view.current?.focus()
    label?.addEventListener('click', focus)
    return () => label?.removeEventListener('click', focus)
  }, [labelId, view])
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent-text)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--info)' },
  { tag: tags.invalid, color: 'var(--bad)' },
])

const look = EditorView.theme({
  '&': { maxHeight: '24rem', backgroundColor: 'transparent', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    minHeight: '7.5rem',
    overflow: 'auto',
    fontFamily: 'var(--font-mono)',
    lineHeight: '1.5',
  },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--faint)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--hover)',
    outline: '1px solid var(--line-strong)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
  },
})
