/**
 * The date of facts that came into the table without a new reading of their page: from the lists of quirks before it, and from
 * what a page is known to say. Who reads the page again gives the fact the day of that reading.
 */
export const notReadAgain = '2026-11-22'
