import rehypeHighlight from 'rehype-highlight'
import './code-colours.css'

/** Colours code whose language is named; guessing often guesses wrong. */
export const rehypePlugins = [rehypeHighlight]
