"""How a report looks."""

from typing import Final

CSS: Final = """
:root {
  color-scheme: light dark;
  --page: #fbfbfa; --card: #ffffff; --ink: #1f2328; --quiet: #5b6470; --rule: #e3e6ea; --mark: #0072b2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171a; --card: #1c2024; --ink: #e6e8ea; --quiet: #a2abb5; --rule: #333a41; --mark: #6cb8e6;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: clamp(1.6rem, 4vw, 2.2rem); line-height: 1.2; margin: 0 0 .75rem; text-wrap: balance; }
h2 { font-size: 1.2rem; margin: 0 0 .75rem; }
p { max-width: 44rem; margin: 0 0 1rem; }
.lead { color: var(--quiet); font-size: 1.1rem; }
section { margin-top: 2.5rem; padding-top: 1.5rem; border-top: 1px solid var(--rule); }
figure { margin: 0 0 1.5rem; }
.picture {
  width: fit-content; max-width: 100%; overflow-x: auto;
  background: #fff; border: 1px solid var(--rule); border-radius: .5rem; padding: .75rem;
}
img { display: block; height: auto; max-width: max(100%, 34rem); }
figcaption, .note { color: var(--quiet); font-size: .9rem; margin-top: .5rem; }
.note { margin: 0 0 .35rem; }
.table { overflow-x: auto; margin: 0 0 .75rem; }
.table:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .95rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .5rem; }
th, td {
  text-align: left; vertical-align: top; padding: .4rem .9rem .4rem 0; border-bottom: 1px solid var(--rule);
}
th { color: var(--quiet); font-weight: 600; font-size: .85rem; }
.number { text-align: right; white-space: nowrap; }
.facts {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 0 0 1.5rem;
}
.facts div {
  background: var(--card); border: 1px solid var(--rule); border-radius: .5rem; padding: .8rem 1rem;
}
.facts dt { color: var(--quiet); font-size: .85rem; }
.facts dd {
  margin: .1rem 0 0; color: var(--mark);
  font-size: 1.5rem; font-weight: 650; font-variant-numeric: tabular-nums;
}
@media print { body { background: #fff; } section { break-inside: avoid; } }
"""
