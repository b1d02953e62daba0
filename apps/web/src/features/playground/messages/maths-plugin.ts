import rehypeKatex from 'rehype-katex'
import remarkMath from 'remark-math'
import 'katex/dist/katex.min.css'

// One dollar often is money; formulas come with two.
export const remarkPlugins = [[remarkMath, { singleDollarTextMath: false }]] as const
export const rehypePlugins = [rehypeKatex]
