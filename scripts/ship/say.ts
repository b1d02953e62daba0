/** Reports each slow step before it starts. */
export type Say = (doing: string) => void

/** Reports to the terminal. */
export const sayAloud: Say = (doing) => console.error(`tollgate: ${doing} …`)
