// SPDX-License-Identifier: BSD-3-Clause
// Draws the charts of a page that does nothing else.

const options = JSON.parse(document.getElementById('charts').textContent);
const divs = document.querySelectorAll('.chart');
let drawn = [];
function draw() {
  drawn.forEach(chart => chart.dispose());
  drawn = options.map((option, index) => {
    const lines = option.legend ? legendLines(option, divs[index].clientWidth) : 0;
    divs[index].style.height = 340 + 25 * lines + 'px';
    const chart = echarts.init(divs[index], dark.matches ? 'dark' : null);
    chart.setOption(completed(option, lines));
    return chart;
  });
}
draw();
dark.addEventListener('change', draw);
addEventListener('resize', draw);
