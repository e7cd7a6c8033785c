// What the pages do beyond links and a form. They work without it.
'use strict';
(() => {
  const root = document.documentElement;
  const themes = ['auto', 'light', 'dark'];
  const stored = () => { try { return localStorage.getItem('theme') || 'auto'; } catch { return 'auto'; } };
  const setTheme = (name) => {
    if (name === 'auto') delete root.dataset.theme; else root.dataset.theme = name;
    try { if (name === 'auto') localStorage.removeItem('theme'); else localStorage.setItem('theme', name); } catch { /* it lasts for this page */ }
  };
  setTheme(themes.includes(stored()) ? stored() : 'auto');
  root.classList.add('scripted');

  document.addEventListener('DOMContentLoaded', () => {
    const $ = (selector) => document.querySelector(selector);
    const form = $('form.ask'), field = $('#q'), main = $('#main'), help = $('#help'), theme = $('#theme'), keys = $('#keys'), told = $('#told');

    theme.hidden = keys.hidden = false;
    const nameTheme = () => { theme.textContent = { auto: '◐ Auto', light: '○ Light', dark: '● Dark' }[stored()]; theme.setAttribute('aria-label', 'Theme: ' + stored()); };
    nameTheme();
    theme.addEventListener('click', () => { setTheme(themes[(themes.indexOf(stored()) + 1) % themes.length]); nameTheme(); });
    keys.addEventListener('click', () => help.showModal());

    const fit = () => {
      if (window.innerWidth < 900) for (const d of document.querySelectorAll('.filters > details, .outline > details')) d.open = false;
      const canvas = $('.canvas'), middle = $('.canvas .target');
      if (!canvas || !middle) return;
      const around = canvas.getBoundingClientRect(), at = middle.getBoundingClientRect();
      canvas.scrollLeft += (at.left + at.right - around.left - around.right) / 2;
      canvas.scrollTop += (at.top + at.bottom - around.top - around.bottom) / 2;
    };
    fit();

    // Pages come in parts while a person types. An older request gives way to a newer one.
    let running = null, timer = 0;
    const show = async (url, how) => {
      clearTimeout(timer);
      if (running) running.abort();
      const mine = running = new AbortController();
      main.setAttribute('aria-busy', 'true');
      let text;
      try {
        const answer = await fetch(url, { headers: { 'X-Cortex-Part': '1' }, signal: mine.signal, credentials: 'same-origin' });
        if (answer.status === 401) { location.assign(url); return; }
        text = await answer.text();
      } catch (err) {
        if (err.name !== 'AbortError') { told.textContent = 'The server does not answer.'; main.removeAttribute('aria-busy'); }
        return;
      }
      if (running !== mine) return;
      const part = new DOMParser().parseFromString(text, 'text/html').getElementById('part');
      if (!part) { location.assign(url); return; }
      main.replaceChildren(document.adoptNode(part));
      main.removeAttribute('aria-busy');
      if (how === 'push') history.pushState(null, '', url);
      if (how === 'replace') history.replaceState(null, '', url);
      document.title = part.dataset.title + ' · Cortex';
      for (const input of form.querySelectorAll('input[name=kind]')) input.parentElement.classList.toggle('told', input.value !== '' && input.value === part.dataset.told);
      const heading = part.querySelector('.summary h2') || part.querySelector('h1');
      told.textContent = heading ? heading.textContent : '';
      fit();
      if (how !== 'replace') {
        takeState(new URL(url, location.href));
        const anchor = url.includes('#') && document.getElementById(decodeURIComponent(url.slice(url.indexOf('#') + 1)));
        if (anchor) anchor.scrollIntoView({ block: 'nearest' }); else window.scrollTo(0, 0);
      }
    };

    // The form says what its page says.
    const filters = ['repo', 'lang', 'in', 'symbol', 'what', 'tests'];
    const takeState = (url) => {
      const values = url.searchParams;
      if (document.activeElement !== field) field.value = values.get('q') || '';
      for (const input of form.querySelectorAll('input[type=hidden]')) input.remove();
      if (url.pathname === '/') {
        for (const name of filters) {
          if (!values.get(name)) continue;
          const input = document.createElement('input');
          Object.assign(input, { type: 'hidden', name, value: values.get(name) });
          form.append(input);
        }
      }
      for (const input of form.querySelectorAll('input[name=kind]')) input.checked = input.value === (values.get('kind') || '');
    };
    const wanted = () => {
      const values = new URLSearchParams();
      for (const [name, value] of new FormData(form)) if (value.trim() !== '') values.append(name, value.trim());
      return '/' + (values.size ? '?' + values : '');
    };
    // Where one search follows another, back leads out of both.
    const ask = (how) => {
      const url = wanted();
      if (url !== location.pathname + location.search) show(url, how);
    };
    field.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => ask(location.pathname === '/' && location.search ? 'replace' : 'push'), 150);
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      clearTimeout(timer);
      ask('push');
      field.blur();
    });
    form.addEventListener('change', (event) => { if (event.target.name === 'kind') ask('push'); });
    window.addEventListener('popstate', () => show(location.pathname + location.search + location.hash, 'pop'));

    // Filters and drawings change in place; the rest are pages of their own.
    main.addEventListener('click', (event) => {
      const a = event.target.closest('a[href]');
      if (!a || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      if (!a.closest('.filters, .active, .pages, .elsewhere, .examples, .tabs, a.grow')) return;
      event.preventDefault();
      const label = a.getAttribute('aria-label');
      const to = a.getAttribute('href');
      show(to, 'push').then(() => {
        if (!a.classList.contains('grow')) return;
        const name = label.slice(0, label.lastIndexOf(':'));
        for (const other of main.querySelectorAll('a.grow')) if (other.getAttribute('aria-label').startsWith(name + ':')) { other.focus(); break; }
      });
    });

    // j and k go through results, or through the lines of a file that match.
    const stops = () => {
      const lines = [...main.querySelectorAll('.whole .hit-line')];
      return lines.length ? lines.map((line) => line.querySelector('.n')) : [...main.querySelectorAll('a.go')].filter((a) => a.offsetParent);
    };
    const move = (step) => {
      const list = stops();
      if (!list.length) return;
      const at = list.indexOf(document.activeElement);
      const next = list[at < 0 ? (step > 0 ? 0 : list.length - 1) : Math.min(Math.max(at + step, 0), list.length - 1)];
      next.focus({ preventScroll: true });
      (next.closest('article, li, .l') || next).scrollIntoView({ block: 'nearest' });
    };
    document.addEventListener('keydown', (event) => {
      if (event.metaKey || event.ctrlKey || event.altKey || help.open) return;
      if (event.target === field) {
        if (event.key === 'Escape') { event.preventDefault(); field.blur(); } // which would empty the field
        return;
      }
      if (event.target.matches('input:not([type=radio]), textarea, select')) return;
      const act = { '/': () => { field.focus(); field.select(); }, j: () => move(1), k: () => move(-1), '?': () => help.showModal() }[event.key];
      if (act) { event.preventDefault(); act(); }
    });
  });
})();
